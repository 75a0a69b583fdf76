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
  'auth/api-token-table.ts': 'it is set again before its listeners are called',
  'discovery/discovery.ts': 'a scan that fails is caught, and the next is planned when it begins',
  'edges.ts': 'the clock itself',
  'live/delta-feed.ts': 'its work is caught, and the feed starts again with a snapshot',
  'main.ts': 'the limit of the stop, past every clock',
  'metrics/scrape.ts': 'it removes one cached answer',
  'troubles/troubles.ts': 'it ends one trouble',
  'state/plain-view.ts': 'it only begins a build, which is caught',
  'temperature/ssh.ts': 'it ends one connection',
}

const isExempt = (name) =>
  name.startsWith('timing/') || /\.test\.ts$|(^|\/)(given|fixtures)|testing\//.test(name)

/** Names of functions that set themselves as a timer again, and uses of Node's timers. */
export function timersIn(text) {
  const found = []
  if (/(?<![.\w])set(Interval|Timeout)\(/.test(text)) found.push('setInterval or setTimeout')
  for (const match of text.matchAll(/^( *)(?:async )?function (\w+)|^( *)const (\w+) = (?:async )?\(/gm)) {
    const [indent, name] = [match[1] ?? match[3], match[2] ?? match[4]]
    const rest = text.slice(match.index)
    const end = rest.search(new RegExp(`\\n${indent}[})]`))
    const body = end < 0 ? rest : rest.slice(0, end)
    const isRearmed = [...body.matchAll(/\bclock\.after\(/g)].some(({ index }) =>
      new RegExp(`\\b${name}\\b`).test(argumentsAt(body, index + 'clock.after'.length)),
    )
    if (isRearmed) found.push(name)
  }
  return found
}

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
