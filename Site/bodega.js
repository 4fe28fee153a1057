// Names and keyboard access that the theme leaves out; what it makes later is watched for.
(() => {
  const name = (selector, label) =>
    document.querySelectorAll(selector).forEach(it => it.setAttribute("aria-label", label));
  const mend = () => {
    name(".md-search", "Search");
    name(".md-top", "Back to the top");
    document.querySelectorAll(".md-nav[aria-labelledby]").forEach(it => {
      // Its label is an icon without words where the section has a page of its own.
      const title = it.querySelector(":scope > .md-nav__title");
      if (title) it.setAttribute("aria-label", title.textContent.trim());
      if (title) it.removeAttribute("aria-labelledby");
    });
    document.querySelectorAll(".md-code__nav").forEach(it => it.setAttribute("role", "none"));
    document.querySelectorAll("pre > code, .md-typeset__scrollwrap").forEach(it => {
      if (it.scrollWidth > it.clientWidth) it.setAttribute("tabindex", "0");
    });
  };
  new MutationObserver(mend).observe(document.body, {childList: true, subtree: true});
  addEventListener("resize", mend);
  mend();
})();
