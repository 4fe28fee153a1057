"""Amounts in thousandths, as currencies can express them (ISO 4217)."""

from fractions import Fraction

WITHOUT_PARTS = {
    "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "UYI", "VND",
    "VUV", "XAF", "XOF", "XPF"}
IN_THOUSANDTHS = {"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}


def smallest(currency: str) -> int:
    """The smallest amount that can be paid."""
    return 1_000 if currency in WITHOUT_PARTS else 1 if currency in IN_THOUSANDTHS else 10


def whole_share(amount: int, part: int, whole: int, currency: str) -> int:
    """A share of an amount, rounded once, half to even; never more than the amount."""
    unit = smallest(currency)
    # Python rounds a fraction's half to even.
    return min(amount, round(Fraction(amount * part, whole * unit)) * unit)
