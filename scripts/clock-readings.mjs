// Fails where the wall clock is read although a duration, age, limit or rhythm may hang on it. It may be set at any
// time; only what people see or what is kept has a date. Those places are named here, with what they need it for.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './pinned-node.mjs'

const server = 'apps/server/src'
const watched = ['polling', 'collectors', 'connections', 'discovery', 'setup-script', 'temperature', 'self']
const dates = {
  'collectors/pve/publish.ts': 'the date of an observation without any answer',
  'collectors/proxmox/watch-host.ts': 'the date of an observation without any answer',
  'connections/area.ts': 'dates of stored connections and of observations',
  'discovery/run.ts': 'dates of a scan',
  'discovery/problems.ts': 'dates of what went wrong in a scan',
  'self/troubles.ts': 'the date since when something is wrong',
  'setup-script/codes.ts': 'the date at which a code ends, for who asked for it',
  'temperature/area.ts': 'the date at which a node was switched on',
  'temperature/watch.ts': 'dates of readings and of their extremes',
}

const folders = watched.map((folder) => `${server}/${folder}/*.ts`)
const listed = String(
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], { cwd: root }),
)
const files = listed
  .trim()
  .split('\n')
  .filter((file) => existsSync(path.join(root, file)))
const problems = []
const used = new Set()
for (const file of files.filter((name) => !/(\.test|\/given)\.ts$/.test(name))) {
  const name = path.relative(server, file)
  const lines = readFileSync(path.join(root, file), 'utf8').split('\n')
  for (const [index, line] of lines.entries()) {
    if (!/clock\.now\b|\bDate\.now\b|new Date\(\)|\{[^}]*\bnow\b[^}]*\} = [\w.#]*clock\b/.test(line)) continue
    used.add(name)
    if (!dates[name])
      problems.push(
        `${file}:${index + 1}: reads the wall clock. Use clock.monotonic(), or name the file in scripts/clock-readings.mjs with the date it needs.`,
      )
  }
}
for (const name of Object.keys(dates)) {
  if (!used.has(name)) problems.push(`scripts/clock-readings.mjs: ${name} reads no wall clock any more.`)
}

for (const problem of problems) console.log(problem)
if (problems.length > 0) process.exit(1)
