import { spawn } from "node:child_process"

const program = PROGRAM
// The tools that are judged before they run, and those whose effect is judged after it.
const before = BEFORE
const after = AFTER
// In milliseconds. A host that says nothing in this time has denied.
const limit = LIMIT

// The host's answer: its exit code, its words, and what its standard output says in JSON.
const ask = (event, question) =>
  new Promise((resolve) => {
    let [said, words] = ["", ""]
    const child = spawn(program, ["hook", "opencode", event], { cwd: question.cwd, stdio: "pipe" })
    const end = (code, why) => {
      clearTimeout(timer)
      let answer = {}
      try {
        answer = said.trim() === "" ? {} : JSON.parse(said)
      } catch {
        code = code || 2
      }
      resolve({ denied: code !== 0, words: words.trim() || why, answer })
    }
    const timer = setTimeout(() => {
      child.kill("SIGKILL")
      end(2, `Guardhost did not answer within ${limit / 1000} s, so this is denied`)
    }, limit)
    child.stdout.on("data", (data) => (said += data))
    child.stderr.on("data", (data) => (words += data))
    child.stdin.on("error", () => {})
    child.on("error", (error) => end(2, `Guardhost cannot be started, so this is denied: ${error.message}`))
    child.on("close", (code) => end(code ?? 2, "Guardhost ended without an answer, so this is denied"))
    child.stdin.end(JSON.stringify({ hook_event_name: event, ...question }))
  })

export const Guardhost = async ({ client, directory }) => {
  // What a model is told of a call when its tool has run.
  const notes = new Map()
  // Sessions that were not let go once.
  const held = new Set()

  return {
    "tool.execute.before": async ({ tool, callID }, output) => {
      if (!before.includes(tool)) return
      const cwd = output.args?.workdir ?? directory
      const { denied, words, answer } = await ask("tool.execute.before", { cwd, tool_name: tool, tool_input: output.args })
      if (denied) throw new Error(words)
      if (answer.arguments) Object.assign(output.args, answer.arguments)
      if (answer.note) notes.set(callID, answer.note)
    },

    "tool.execute.after": async ({ tool, callID, args }, output) => {
      const told = [notes.get(callID)]
      notes.delete(callID)
      if (after.includes(tool)) {
        const cwd = args?.workdir ?? directory
        const { denied, words, answer } = await ask("tool.execute.after", { cwd, tool_name: tool, tool_input: args })
        told.push(answer.note ?? (denied ? words : undefined))
      }
      for (const note of told.filter(Boolean)) output.output += `\n\n${note}`
    },

    event: async ({ event }) => {
      if (event.type !== "session.idle") return
      const id = event.properties.sessionID
      const session = await client.session.get({ path: { id } })
      // The agent that started another one waits for what it says.
      if (session.data?.parentID) return
      const { answer } = await ask("session.idle", { cwd: directory, stop_hook_active: held.delete(id) })
      if (!answer.continue) return
      held.add(id)
      await client.session.prompt({ path: { id }, body: { parts: [{ type: "text", text: answer.continue }] } })
    },
  }
}
