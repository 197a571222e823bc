// The list of runs of a file: a search, conditions, an order and a page of rows at a time, all of which the address says. Rows that are not
// shown are not in the document, so that ten thousand cost what a hundred do. Without a script all rows stand there.
"use strict";
(() => {
  const form = document.getElementById("find"), list = document.getElementById("run-list");
  if (!form || !list) return;
  const $ = id => document.getElementById(id), ROWS = 100;
  const rows = [...list.querySelectorAll("li.run")], ids = new Map(rows.map((row, at) => [row.id, at]));
  const began = row => (row.querySelector("time") || { dateTime: "" }).dateTime;
  const words = [];
  let found = rows, from = 0;
  // Read once, and while nobody waits: it is what a search of ten thousand rows costs.
  const textOf = at => words[at] === undefined ? (words[at] = rows[at].textContent.toLowerCase()) : words[at];
  const readAhead = deadline => {
    while (words.length < rows.length && deadline.timeRemaining() > 1) textOf(words.length);
    if (words.length < rows.length) requestIdleCallback(readAhead);
  };

  const values = () => Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, value.trim()]));
  const select = () => {
    const { q = "", since = "", until = "", sort, group, ...chosen } = values();
    const asked = Object.entries(chosen).filter(([, value]) => value), all = q.toLowerCase().split(/\s+/).filter(Boolean);
    const has = (row, [name, value]) => name === "guard" ? (row.dataset.guard || "").split(" ").includes(value) : row.dataset[name] === value;
    found = rows.filter((row, at) => {
      const day = since || until ? began(row).slice(0, 10) : "";
      return asked.every(pair => has(row, pair)) && (!since || day >= since) && (!until || day <= until)
        && all.every(word => textOf(at).includes(word));
    });
    if (sort === "oldest") found.reverse();
    if (sort === "longest") found.sort((a, b) => (b.dataset.took || 0) - (a.dataset.took || 0));
    rows.forEach(row => row.classList.remove("step"));
    if (group !== "plan") return;
    // Steps come behind their plan, the first first; those of a plan that is not found stand alone.
    const steps = new Map(), here = new Set(found.map(row => row.id));
    const plan = row => row.dataset.plan && here.has("b-" + row.dataset.plan) ? "b-" + row.dataset.plan : "";
    found.filter(plan).forEach(row => { row.classList.add("step"); steps.set(plan(row), [row, ...(steps.get(plan(row)) || [])]); });
    found = found.filter(row => !plan(row)).flatMap(row => [row, ...(steps.get(row.id) || [])]);
  };

  // As the pages write numbers.
  const grouped = number => String(number).replace(/\B(?=(\d{3})+$)/g, "\u2009");
  const heading = day => {
    const item = document.createElement("li"), head = document.createElement("h2");
    item.className = "day";
    head.textContent = day + " UTC";
    item.append(head);
    return item;
  };
  const show = () => {
    from = Math.max(0, Math.min(from, Math.floor((found.length - 1) / ROWS) * ROWS));
    const { sort, group } = values(), part = found.slice(from, from + ROWS), items = [];
    let last = "";
    for (const row of part) {
      const day = began(row).slice(0, 10);
      if (group === "day" && sort !== "longest" && day !== last && rows.length > 20) items.push(heading(last = day));
      items.push(row);
    }
    list.replaceChildren(...items);
    $("find-count").textContent = found.length ? `${grouped(from + 1)} to ${grouped(from + part.length)} of ${grouped(found.length)}` : "none";
    $("find-newer").disabled = from === 0;
    $("find-older").disabled = from + ROWS >= found.length;
    $("find-pages").hidden = found.length <= ROWS;
    if (window.guardhostPage) window.guardhostPage.times(list);
  };

  // What is chosen, each with what takes it away.
  const conditions = () => {
    const fields = [...form.elements].filter(field => field.name && field.value && !["sort", "group"].includes(field.name));
    $("find-conditions").replaceChildren(...fields.map(field => {
      const item = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.textContent = `${field.closest("label").firstChild.textContent.trim()}: ${field.value} ×`;
      button.setAttribute("aria-label", `${button.textContent.slice(0, -2)}: take it away`);
      button.addEventListener("click", () => { field.value = ""; changed(); $("find-text").focus(); });
      item.append(button);
      return item;
    }));
  };
  const changed = () => {
    from = 0;
    select();
    show();
    conditions();
    const said = [...new FormData(form)].filter(([name, value]) => value && !(name === "sort" && value === "newest") && !(name === "group" && value === "day"));
    history.replaceState(null, "", "#board" + (said.length ? "&" + new URLSearchParams(said) : ""));
  };
  const read = () => {
    const [page, ...rest] = location.hash.slice(1).split("&");
    if (page !== "board" && page !== "") return;
    const said = new URLSearchParams(rest.join("&"));
    for (const field of form.elements) if (field.name) field.value = said.get(field.name) || { sort: "newest", group: "day" }[field.name] || "";
    from = 0;
    select();
    show();
    conditions();
  };
  const page = by => { from += by; show(); form.scrollIntoView({ block: "nearest" }); };
  // A link to a row that is not shown shows it.
  const reveal = id => {
    const at = ids.get(id);
    if (at === undefined) return null;
    form.reset();
    select();
    from = Math.floor(found.indexOf(rows[at]) / ROWS) * ROWS;
    show();
    conditions();
    return rows[at];
  };
  form.addEventListener("input", changed);
  form.addEventListener("submit", event => event.preventDefault());
  $("find-newer").addEventListener("click", () => page(-ROWS));
  $("find-older").addEventListener("click", () => page(ROWS));
  addEventListener("hashchange", read);
  form.hidden = false;
  show();
  read();
  if (window.requestIdleCallback) requestIdleCallback(readAhead);
  window.guardhostList = { reveal };
})();
