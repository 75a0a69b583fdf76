// Fails where the server repeats work with its own timer, which an exception would end silently.
// `createTicker`, `createDueTimer`, `createThrottle` and `createWriteBehind` in apps/server/src/timing
// survive exceptions.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './pinned-node.mjs'

const server = 'apps/server/src'
/** Files that may use Node's timers, or set a timer again from its callback, with the reason. */
const allowed = {
  'collectors/pve/endpoints.ts': 'its question never rejects',
  'collectors/pve/failover.ts': 'one call and its hedges: it ends with the last attempt',
  'collectors/pve/node-prober.ts': 'each listing wakes it as well',
  'edges.ts': 'the clock itself',
  'live/delta-feed.ts': 'its work is caught, and the feed starts again with a snapshot',
  'live/plain-feed.ts': 'it is set again before it sends',
  'main.ts': 'the limit of the stop, past every clock',
  'polling/loop.ts': 'the loop of the collectors: every step that may throw is caught',
  'polling/publisher.ts': 'each question sets it, and none waits for an earlier one that failed',
  'state/plain-view.ts': 'it only begins a build, which is caught',
  'troubles/troubles.ts': 'it ends one trouble',
  'worker-thread.ts': 'set by the end of a thread',
}

const isExempt = (name) =>
  name.startsWith('timing/') || /\.test\.ts$|(^|\/)(given|fixtures)|testing\//.test(name)

/** Names of functions and methods that set themselves as a timer again, and uses of Node's timers. */
export function timersIn(text) {
  const code = text.replaceAll(/\/\*[^]*?\*\/|(?<=^|\s)\/\/.*/g, '')
  const found = []
  if (/(?<![.\w])set(Interval|Timeout)\(/.test(code)) found.push('setInterval or setTimeout')
  const bodies = bodiesIn(code)
  const namesIn = (part) => [...bodies.keys()].filter((name) => mentionOf(name).test(part))
  const called = new Map([...bodies].map(([name, body]) => [name, namesIn(body)]))
  for (const [name, body] of bodies) {
    const reached = new Set(
      [...body.matchAll(/\bclock\.after\(/g)].flatMap(({ index }) =>
        namesIn(argumentsAt(body, index + 'clock.after'.length)),
      ),
    )
    for (const next of reached) for (const one of called.get(next)) reached.add(one)
    if (reached.has(name)) found.push(name)
  }
  return found
}

/** The bodies of functions by name, those of methods by `this.` and name. */
function bodiesIn(code) {
  const bodies = new Map()
  for (const { 0: head, 1: indent, 2: plain, 3: method, index } of code.matchAll(
    /^( *)(?:(?:export )?(?:(?:async )?function |const (?=\w+ = (?:async )?\())(\w+)|(?:async )?(?!if|for|while|switch|catch)(#?\w+)(?=\((?:.*|\n[^]*?\n\1)\)(?:: [^=\n]+)? \{\n))/gm,
  )) {
    const rest = code.slice(index + head.length)
    const end = rest.search(new RegExp(`\\n {0,${indent.length}}[^\\s)]`))
    bodies.set(plain ?? `this.${method}`, end < 0 ? rest : rest.slice(0, end))
  }
  return bodies
}

/** Where a function is passed or called. */
const mentionOf = (name) => new RegExp(`(?<![\\w.#])${name.replace('.', '\\.')}(?=\\s*(?:[(),;]|$))`, 'm')

function argumentsAt(text, open) {
  let depth = 0
  for (let at = open; at < text.length; at++) {
    if (text[at] === '(') depth++
    if (text[at] === ')' && --depth === 0) return text.slice(open, at)
  }
  return text.slice(open)
}

function problemsIn(folder) {
  const names = existsSync(folder) ? readdirSync(folder, { recursive: true }) : []
  const sources = names.map((name) => name.split(path.sep).join('/')).filter((name) => name.endsWith('.ts'))
  const found = sources
    .filter((name) => !isExempt(name))
    .map((name) => [name, timersIn(readFileSync(path.join(folder, name), 'utf8'))])
    .filter(([, timers]) => timers.length > 0)
  const used = new Set(found.map(([name]) => name))
  return [
    ...found
      .filter(([name]) => !allowed[name])
      .map(
        ([name, timers]) =>
          `${server}/${name}: a timer of its own (${timers.join(', ')}). Use one of ${server}/timing.`,
      ),
    ...Object.keys(allowed)
      .filter((name) => !used.has(name))
      .map((name) => `scripts/timers.mjs: ${name} has no timer of its own any more.`),
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = problemsIn(path.join(root, server))
  for (const problem of problems) console.log(problem)
  if (problems.length > 0) process.exit(1)
}
