// Pages of a server: one stream of events, which all tabs share, says when to look again. What is shown always comes from the server whole and is laid over
// what is there, so that an event that is lost, late, or heard twice makes no difference once the next one, or a new connection, comes.
"use strict";
(() => {
  const events = document.documentElement.dataset.events, status = document.getElementById("live");
  if (!events) return;
  // A stream names its events as traces do, and a listener names what it wants to hear. What a guard names itself follows a `judged`.
  const names = ["message", "resync", "run-started", "round-started", "asking", "provider-failed", "replied", "spent", "mended", "extracted",
    "no-patch", "sanitized", "refused", "placed", "misfit", "judging", "judged", "fixing", "fixed", "not-fixed", "settling", "committed",
    "staged", "feedback", "rejected-kept", "cycle", "notice", "run-ended", "record", "record-file"];
  let source, waiting = false, asking = false, again = false, delay = 500;

  // Makes `own` equal to `other`, and leaves what is equal, or open, or looked at, as it is.
  const lay = (own, other) => {
    if (own.isEqualNode(other)) return own;
    if (own.nodeType !== other.nodeType || own.nodeName !== other.nodeName || own.id !== other.id) { own.replaceWith(other); return other; }
    if (own.nodeType !== 1) { if (own.nodeValue !== other.nodeValue) own.nodeValue = other.nodeValue; return own; }
    const kept = name => ["open", "hidden", "aria-current"].includes(name);
    [...own.attributes].forEach(({ name }) => { if (!kept(name) && !other.hasAttribute(name)) own.removeAttribute(name); });
    [...other.attributes].forEach(({ name, value }) => { if (!kept(name)) own.setAttribute(name, value); });
    if (own.nodeName === "TIME" && own.title === other.title) return own;
    const named = new Map([...own.children].filter(child => child.id).map(child => [child.id, child]));
    let at = own.firstChild;
    for (const wanted of [...other.childNodes]) {
      const same = wanted.id && named.get(wanted.id);
      if (same && same !== at) own.insertBefore(same, at);
      const mine = same || (at && !(at.id && at.id !== wanted.id) ? at : null);
      const laid = mine ? lay(mine, wanted) : own.insertBefore(wanted, at);
      at = laid.nextSibling;
    }
    while (at) { const next = at.nextSibling; at.remove(); at = next; }
    return own;
  };

  const look = async () => {
    if (asking) { again = true; return; }
    asking = true;
    try {
      const answer = await fetch(location.pathname + location.search, { headers: { accept: "text/html" }, cache: "no-store" });
      if (answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        lay(document.getElementById("page"), page.getElementById("page"));
        window.guardhostPage.prepare(document);
      }
      status.textContent = answer.ok ? "live" : "the server refuses this page";
    } catch { status.textContent = "not connected"; }
    asking = false;
    if (again) { again = false; soon(); }
  };
  // Several events at once are one look.
  const soon = () => { if (!waiting) { waiting = true; setTimeout(() => { waiting = false; look(); }, 60); } };

  // Some pages show what no event tells of.
  const every = Number(document.documentElement.dataset.refresh);
  if (every) setInterval(() => { if (!document.hidden) soon(); }, every);

  // What is heard is passed on to the other tabs. A page about one run looks when that run goes on, or when nothing tells which.
  const run = document.documentElement.dataset.run, said = text => { status.textContent = text; };
  const heard = ({ of, text, look: must }) => {
    if (text) said(text);
    if (must || (of !== undefined && (!of || !run || of === run))) soon();
  };
  const channel = window.BroadcastChannel && navigator.locks ? new BroadcastChannel("guardhost-events") : null;
  const tell = message => { heard(message); if (channel) channel.postMessage(message); };
  const listen = url => {
    source = new EventSource(url);
    source.onopen = () => { delay = 500; tell({ text: "live", look: true }); };
    names.forEach(name => source.addEventListener(name, event => {
      let of;
      try { of = JSON.parse(event.data).run; } catch { /* a resync names none */ }
      tell({ of: of || "" });
    }));
    source.onerror = () => {
      tell({ text: "not connected" });
      // The browser goes on by itself, with the id of the last event, unless the server turned it away.
      if (source && source.readyState === EventSource.CLOSED) {
        setTimeout(() => { if (source && source.readyState === EventSource.CLOSED) listen(url); }, delay);
        delay = Math.min(delay * 2, 15000);
      }
    };
  };
  const hush = () => { if (source) source.close(); source = undefined; };

  // Browsers allow six connections to a server, and a stream is one: of all tabs that are seen one listens, for all runs. Without locks
  // (they need https or this machine) each listens for itself.
  let leave;
  const begin = () => {
    if (!channel) { hush(); listen(run ? `${events}?run=${encodeURIComponent(run)}` : events); return; }
    if (leave) return;
    const out = new AbortController();
    let over;
    const until = new Promise(done => { over = done; });
    leave = () => { leave = undefined; over(); out.abort(); hush(); };
    navigator.locks.request("guardhost-events", { signal: out.signal }, () => { listen(events); return until; }).catch(() => {});
    // Whoever listens already says how it is.
    channel.postMessage({ ask: true });
    soon();
  };
  if (channel) channel.onmessage = ({ data }) => {
    if (!data.ask) { if (!document.hidden) heard(data); }
    else if (source && source.readyState === EventSource.OPEN) channel.postMessage({ text: "live" });
  };
  // A tab that is not seen listens to nothing, and looks when it is seen again.
  const end = () => { if (channel) { if (leave) leave(); } else hush(); };
  document.addEventListener("visibilitychange", () => (document.hidden ? end() : begin()));
  window.addEventListener("pagehide", end);
  window.addEventListener("pageshow", event => { if (event.persisted && !document.hidden) begin(); });
  if (!document.hidden) begin();
})();
