// The storefronts that a store has, each with its currency.

const table =
  "AREAED ARGUSD AUSAUD AUTEUR BELEUR BGREUR BRABRL CANCAD CHECHF CHLCLP CHNCNY COLCOP CZECZK " +
  "DEUEUR DNKDKK EGYEGP ESPEUR ESTEUR FINEUR FRAEUR GBRGBP GRCEUR HKGHKD HRVEUR HUNHUF IDNIDR " +
  "INDINR IRLEUR ISRILS ITAEUR JPNJPY KAZKZT KORKRW LTUEUR LUXEUR LVAEUR MEXMXN MYSMYR NGANGN " +
  "NLDEUR NORNOK NZLNZD PAKPKR PERPEN PHLPHP POLPLN PRTEUR QATQAR ROURON RUSRUB SAUSAR SGPSGD " +
  "SVKEUR SVNEUR SWESEK THATHB TURTRY TWNTWD UKRUSD USAUSD VNMVND ZAFZAR";

const currencies = new Map(table.split(" ").map((word) =>
  /** @type {[string, string]} */ ([word.slice(0, 3), word.slice(3)])));

export const storefronts = [...currencies.keys()];

/**
 * The currency of a storefront, by the three letters of its country.
 * @param {string} storefront
 */
export function currencyOf(storefront) {
  return currencies.get(storefront) ?? "USD";
}
