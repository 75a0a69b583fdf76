// Fails where code reads the wall clock. It may be set at any time, so durations, ages, limits and intervals
// need the monotonic clock. Files that need dates, for users or for storage, are listed here with the reason.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './pinned-node.mjs'

const server = 'apps/server/src/'
const watched = [server, 'packages/domain/src/', 'apps/web/src/live/', 'apps/web/src/api/']
/** paths below the server's src, or from the root */
const dates = {
  'alerts/history.ts': 'dates of old entries',
  'alerts/index.ts': 'dates of alerts that are imported, and of activation',
  'alerts/settings.ts': 'the date of activation',
  'alerts/watch.ts': 'dates of alerts, for people and for a restart',
  'apps/web/src/api/request.ts': 'a date that the server says to wait for',
  'apps/web/src/live/create-live.ts': 'dates that people and the server see',
  'apps/web/src/live/fake-socket.ts': 'the date in a ping of a test',
  'auth/api-token-table.ts': 'the date at which a token ends',
  'auth/api-tokens.ts': 'dates of tokens',
  'auth/audit.ts': 'dates of records, and the year that they are kept',
  'auth/fixed-users.ts': 'dates of accounts',
  'auth/lockout.ts': 'dates of attempts, for a restart and for people',
  'auth/rate-limit.ts': 'the date of the next allowed attempt',
  'auth/sessions.ts': 'dates of sessions, for a restart and for the cookie',
  'auth/sign-in.ts': 'the minutes until a lock ends, for people',
  'auth/users.ts': 'dates of accounts',
  'access/index.ts': 'the date of a stored setup token',
  'cluster/joined.ts': 'the date of the start of a process, for people',
  'cluster/shared-clock.ts': 'the date of the database, by which rights end',
  'cluster/sites/site-watch.ts': 'since when a site is unreachable, for people',
  'commands/migrate.ts': 'dates of migrations',
  'commands/site-key.ts': 'the date of a stored key',
  'connections/connections.ts': 'dates of stored connections',
  'connections/index.ts': 'dates of connections that are imported',
  'diagnostics/diagnostics.ts': 'the date of a run',
  'diagnostics/index.ts': 'the date in an export',
  'discovery/problems.ts': 'dates of what went wrong in a scan',
  'discovery/run.ts': 'dates of a scan',
  'agents/commands.ts': 'dates of commands, for people and for a restart',
  'agents/hosts.ts': 'dates of removals, for people and for a restart',
  'agents/index.ts': 'dates of hosts that are imported',
  'agents/intake.ts': 'dates of hosts and reports, and how far the clock of a host is off',
  'agents/host.ts': 'the date at which a command ends, after a restart',
  'edges.ts': 'the wall clock itself',
  'remote.ts': 'the date of an answer',
  'remote/claims.ts': 'the date of the start of a process, for people',
  'foundation.ts': 'the date of the start, and dates of settings',
  'timing/guarded-clock.ts': 'the wall clock itself',
  'guests/index.ts': 'dates of links that are imported',
  'guests/metadata.ts': 'dates of links',
  'db/history/worker.ts': 'the date in the name of a damaged file',
  'db/clock-comparison.ts': 'how far the wall clock is from that of the server',
  'packages/domain/src/history/change-reader.ts': 'dates of changes, and steps of the wall clock',
  'history/back-test.ts': 'the range up to the present',
  'history/charts.ts': 'dates of samples, and the range up to the present',
  'history/series.ts': 'dates of samples, and the range up to the present',
  'history/forecasts.ts': 'dates of forecasts',
  'history/history.ts': 'dates of samples',
  'history/index.ts': 'dates of changes',
  'history/past.ts': 'the present, where times of the past end',
  'history/queries.ts': 'the present, from which days are counted',
  'history/trends.ts': 'the range up to the present',
  'http/error-reply.ts': 'the date of an answer',
  'live/hub.ts': 'the date in a pong',
  'live/keep-alive.ts': 'the date in a ping',
  'log-file.ts': 'ages of files, which have dates only',
  'log.ts': 'the time before a line on a terminal',
  'notify/channels/webhook/send.ts': 'the date in a message',
  'notify/health.ts': 'dates that people see',
  'notify/pipeline.ts': 'dates of messages, for people and for a restart',
  'notify/test-send.ts': 'the date of a test',
  'notify/worker.ts': 'dates of messages, for people and for a restart',
  'packages/domain/src/wall.ts': 'what lies between the two clocks',
  'reference/example-calls/system.ts': 'the date in what the switch program writes, in a test',
  'refusals.ts': 'the date of an answer',
  'self/index.ts': 'the date of an answer',
  'troubles/troubles.ts': 'the date since when something is wrong',
  'setup-script/codes.ts': 'the date at which a code ends, for who asked for it',
  'start/keep-copy.ts': 'the day of a copy',
  'start/recover.ts': 'dates of copies',
  'state/plain-view.ts': 'how long ago dates of records were',
  'switch.ts': 'dates in the status of an update',
  'temperature/index.ts': 'the date at which an imported node is switched on',
  'temperature/temperatures.ts': 'the date at which a node was switched on',
  'temperature/watch.ts': 'dates of readings and of their extremes',
  'transfer/transfer.ts': 'the date in an export',
  'transfer/initial.ts': 'the date of the first import',
  'updates/check.ts': 'the date of the last answer',
  'updates/schedule.ts': 'the time of the day',
  'updates/switch/as-owner.ts': 'dates in the status of an update',
  'updates/updater.ts': 'dates of updates, for people and for a restart',
}

const folders = watched.map((folder) => `${folder}*.ts`)
const listed = String(
  execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], { cwd: root }),
)
const files = listed
  .trim()
  .split('\n')
  .filter((file) => existsSync(path.join(root, file)))
const problems = []
const used = new Set()
for (const file of files.filter(
  (name) => !/(\.test|\/(?:given|fixtures)(-[^/]*)?)\.ts$|\/testing\//.test(name),
)) {
  const name = file.startsWith(server) ? file.slice(server.length) : file
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
