// What pages can do with a script: themes, times of the reader's zone, one page of the file at a time, links to lines, the scrubber, keys.
// Everything can be read without it. It writes text by textContent only.
"use strict";
(() => {
  const root = document.documentElement;
  const all = (selector, within = document) => [...within.querySelectorAll(selector)];
  const $ = id => document.getElementById(id);
  root.classList.add("js");

  // Light and dark. A file may have no storage.
  const store = { get: () => { try { return localStorage.getItem("theme"); } catch { return null; } },
                  set: value => { try { localStorage.setItem("theme", value); } catch { /* this page only */ } } };
  if (["light", "dark"].includes(store.get())) root.dataset.theme = store.get();
  const isDark = () => root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const theme = () => { root.dataset.theme = isDark() ? "light" : "dark"; store.set(root.dataset.theme); };
  const help = () => $("help").open ? $("help").close() : $("help").showModal();

  // Made once: that is half of what the next page of a list costs.
  const clock = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
  const localTimes = within => all("time[datetime]", within).forEach(time => {
    const at = new Date(time.dateTime);
    if (!isNaN(at)) time.textContent = clock.format(at);
  });

  // The stages of a round: one is shown at a time, or its difference from another.
  const textOf = (round, name, hops = 9) => {
    const panel = round.querySelector(`details.stage[data-stage="${name}"]`);
    const same = panel && panel.querySelector("[data-same]");
    if (same && hops) return textOf(round, same.dataset.same, hops - 1);
    const pre = panel && panel.querySelector("pre.text");
    return pre ? pre.textContent : null;
  };
  const show = (round, name, focus) => {
    const links = all(".stages a", round), at = links.findIndex(link => link.dataset.stage === name);
    if (at < 0) return;
    links.forEach((link, n) => n === at ? link.setAttribute("aria-current", "step") : link.removeAttribute("aria-current"));
    round.querySelector(".scrub input").value = at;
    const other = round.querySelector(".scrub select").value, box = round.querySelector(".difference");
    const compared = other && textOf(round, name) !== null;
    all("details.stage", round).forEach(panel => {
      panel.hidden = compared || panel.dataset.stage !== name;
      panel.open = !panel.hidden;
    });
    box.hidden = !compared;
    if (compared) difference(box, textOf(round, other), textOf(round, name));
    if (focus) links[at].focus();
  };
  const step = (round, by) => {
    const links = all(".stages a", round), at = links.findIndex(link => link.hasAttribute("aria-current"));
    const next = links[Math.max(0, Math.min(links.length - 1, at + by))];
    if (next) { chosen.set(round.id, next.dataset.stage); show(round, next.dataset.stage, true); }
  };

  // The lines that differ. What begins and ends alike is set aside; the rest is aligned by the longest common lines, if it is not too much.
  const difference = (box, before, after) => {
    const a = before.split("\n"), b = after.split("\n");
    let head = 0, tail = 0;
    while (head < Math.min(a.length, b.length) && a[head] === b[head]) head++;
    while (tail < Math.min(a.length, b.length) - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
    const x = a.slice(head, a.length - tail), y = b.slice(head, b.length - tail), out = [];
    const big = x.length * y.length > 4e6, width = y.length + 1;
    const table = big ? null : new Uint32Array((x.length + 1) * width);
    if (table) for (let i = x.length - 1; i >= 0; i--) for (let j = y.length - 1; j >= 0; j--)
      table[i * width + j] = x[i] === y[j] ? table[(i + 1) * width + j + 1] + 1 : Math.max(table[(i + 1) * width + j], table[i * width + j + 1]);
    let i = 0, j = 0;
    while (i < x.length || j < y.length) {
      if (table && i < x.length && j < y.length && x[i] === y[j]) { out.push(["same", x[i++]]); j++; }
      else if (j >= y.length || (i < x.length && (!table || table[(i + 1) * width + j] >= table[i * width + j + 1]))) out.push(["del", x[i++]]);
      else out.push(["add", y[j++]]);
    }
    const near = 3, rows = [...a.slice(Math.max(0, head - near), head).map(line => ["same", line]), ...out,
                            ...a.slice(a.length - tail, a.length - tail + near).map(line => ["same", line])];
    const line = (kind, text) => { const div = document.createElement("div"); div.className = kind; div.textContent = text; return div; };
    const marks = { same: "  ", add: "+ ", del: "− " };
    box.replaceChildren(...(out.length === 0 ? [line("gap", "No difference.")] : [
      ...(head > near ? [line("gap", `… ${head - near} equal lines`)] : []),
      ...rows.map(([kind, text]) => line(kind, marks[kind] + text)),
      ...(tail > near ? [line("gap", `… ${tail - near} equal lines`)] : [])]));
  };

  // The stages that the reader chose, by round. Live pages are prepared again when a round has grown.
  const chosen = new Map(), prepared = new WeakSet();
  const stands = round => (round.querySelector(".stages .bad a") || round.querySelector(".stages .busy a") || round.querySelector(".stages a"));
  const prepare = within => {
    localTimes(within);
    all("article.round", within).forEach(round => {
      const box = round.querySelector(".scrub"), first = stands(round);
      if (!box || !first) return;
      if (!prepared.has(round)) listen(round, box);
      prepared.add(round);
      show(round, chosen.get(round.id) || first.dataset.stage);
    });
  };
  const listen = (round, box) => {
    box.hidden = false;
    const name = () => all(".stages a", round)[box.querySelector("input").value].dataset.stage;
    const choose = name => { chosen.set(round.id, name); show(round, name); };
    box.addEventListener("input", () => choose(name()));
    round.querySelector(".stages").addEventListener("click", event => {
      const link = event.target.closest("a");
      if (link) { event.preventDefault(); choose(link.dataset.stage); }
    });
  };

  // Links: `#run-ID`, `#change-ID-2&f=path&L=7`, and `#f=path&L=7` for the change that is open, or the first that has the file.
  const decoded = text => { try { return decodeURIComponent(text); } catch { return text; } };
  const pages = () => all("section.page");
  const go = () => {
    const parts = location.hash.slice(1).split("&"), named = parts.filter(part => !/^[fL]=/.test(part))[0];
    const value = key => { const part = parts.find(part => part.startsWith(key + "=")); return part && decoded(part.slice(2)); };
    const path = value("f"), number = value("L"), target = named && ($(named) || (window.guardhostList && window.guardhostList.reveal(named)));
    const isFile = section => all("details.file", section).some(file => file.dataset.path === path);
    let section = target && target.closest("section.page");
    if (!section && path) section = pages().find(page => !page.hidden && isFile(page)) || pages().find(isFile);
    section = section || pages().find(page => !named && !path && page === pages()[0]) || pages().find(page => !page.hidden) || pages()[0];
    if (pages().length > 1) pages().forEach(page => { page.hidden = page !== section; });
    all("header nav a").forEach(link => section && link.hash === "#" + section.id ? link.setAttribute("aria-current", "page")
      : link.hash && link.removeAttribute("aria-current"));
    all("tr.linked").forEach(row => row.classList.remove("linked"));
    const file = path && all("details.file", section).find(file => file.dataset.path === path);
    if (file) {
      file.open = true;
      // By the new number; in a deleted file by the old one.
      const at = column => all("tr", file).find(row => row.cells.length === 3 && row.cells[column].textContent === number);
      const row = number && (at(1) || at(0));
      if (row) { row.classList.add("linked"); row.closest("details").open = true; }
      (row || file).scrollIntoView({ block: row ? "center" : "start" });
    } else if (target && target !== section) {
      const round = target.closest("article.round");
      if (round && target.dataset.stage) show(round, target.dataset.stage);
      target.scrollIntoView();
    } else if (location.hash) scrollTo(0, 0);
  };
  document.addEventListener("click", event => {
    const cell = event.target.closest("td.no");
    if (!cell) return;
    const file = cell.closest("details.file"), row = cell.parentElement;
    const number = row.cells[1].textContent || row.cells[0].textContent;
    const page = pages().length > 1 ? cell.closest("section.page").id + "&" : "";
    location.hash = `${page}f=${encodeURIComponent(file.dataset.path).replaceAll("%2F", "/")}&L=${number}`;
  });

  // Keys. None while a person types.
  const move = (selector, by) => {
    const places = all(selector).filter(place => !place.closest("[hidden]"));
    if (!places.length) return;
    const now = document.activeElement, mark = places.indexOf(now.matches(selector) ? now : now.closest(selector));
    const next = places[mark < 0 ? (by > 0 ? 0 : places.length - 1) : (mark + by + places.length) % places.length];
    for (let box = next.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
    (next.matches("details") ? next.querySelector("summary") : next).focus({ preventScroll: true });
    next.scrollIntoView({ block: "center" });
  };
  const current = () => {
    const rounds = all("article.round").filter(round => !round.closest("[hidden]"));
    return document.activeElement.closest("article.round") || rounds.find(round => round.getBoundingClientRect().bottom > 120) || rounds[0];
  };
  const toggle = () => {
    const files = all("details.file").filter(file => !file.closest("[hidden]")), open = files.some(file => !file.open);
    files.forEach(file => { file.open = open; });
  };
  const keys = {
    j: () => move("div.finding", 1), k: () => move("div.finding", -1), n: () => move("details.file", 1), p: () => move("details.file", -1),
    "]": () => current() && step(current(), 1), "[": () => current() && step(current(), -1),
    e: toggle, b: () => document.querySelector("a.brand").click(), t: theme, "?": help,
    "/": () => $("find-text") && !$("find-text").closest("[hidden]") && $("find-text").focus(),
  };
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input:not([type=range]), select, textarea")) return;
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });

  [["theme", theme], ["keys", help]].forEach(([id, act]) => { $(id).hidden = false; $(id).addEventListener("click", act); });
  addEventListener("hashchange", go);
  prepare(document);
  go();
  window.guardhostPage = { prepare, show, times: localTimes };
})();
