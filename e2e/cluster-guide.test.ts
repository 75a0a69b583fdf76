import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocksFor } from '../scripts/documented.ts'
import { root } from '../scripts/pinned-node.mjs'

const hasEngines = fs.existsSync('/usr/sbin/nats-server') && fs.existsSync('/usr/lib/postgresql')
if (!hasEngines) console.log('skipped: no NATS or no PostgreSQL')
const hasSamples = fs.existsSync('/usr/bin/victoria-metrics')
if (!hasSamples) console.log('skipped: no VictoriaMetrics')
const isRoot = process.getuid?.() === 0

let home: string
beforeAll(() => {
  home = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-guide-'))
  fs.chmodSync(home, 0o755)
})
afterAll(() => fs.rmSync(home, { recursive: true }))

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return String(port)
}

/** The blocks in their order, at free ports, with commands for what the reader does in a browser. PostgreSQL refuses to run as root, so its commands run as its own user. */
async function script(name: string, inBrowser: Readonly<Record<string, string>>): Promise<string> {
  let text = blocksFor(name)
    .map((block) => block.text)
    .join('\n')
  for (const [after, command] of Object.entries(inBrowser)) {
    expect(text).toContain(after)
    text = text.replace(after, () => `${after}\n${command}`)
  }
  const ports = [...new Set(text.match(/\b(?:554[45]|433[34]|843\d|766\d)\b/g))]
  let own = text
  for (const port of ports) own = own.replaceAll(port, await freePort())
  if (!isRoot) return own
  return own
    .replace(/^mkdir -m 700 \$W$/m, '$&\nchown postgres $W')
    .replace(/^\$PG\/.*$/gm, '(cd /tmp && runuser -u postgres -- $&)')
}

/** Runs the blocks, and returns what they have said. */
async function run(
  name: string,
  folder: string,
  inBrowser: Readonly<Record<string, string>> = {},
): Promise<string> {
  const shell = spawn('bash', ['-ec', await script(name, inBrowser)], {
    cwd: root,
    env: { ...process.env, HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  let said = ''
  for (const stream of [shell.stdout, shell.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (said += part))
  try {
    const [code] = (await once(shell, 'exit')) as [number | null]
    expect([code, said]).toEqual([0, expect.any(String)])
  } finally {
    end(shell.pid!, folder)
  }
  expect(fs.readdirSync(home)).not.toContain(folder)
  return said
}

const apiToken = randomBytes(24).toString('hex')
const curl = `curl -sS -H 'content-type: application/json' -H 'X-API-Token: ${apiToken}' http://127.0.0.1`
const account = { username: 'owner', password: 'a long password', apiToken, setupToken: '%s' }
/** by the command that they follow */
const visits = {
  'cat $W/one.log': [
    `printf '${JSON.stringify(account)}' $(grep -oE '\\b[0-9a-f]{32}\\b' $W/one.log | head -n 1) > $W/account.json`,
    `${curl}:7662/api/security/quick-setup -d @$W/account.json`,
    `${curl}:7661/api/history/storage`,
  ].join('\n'),
  'until curl -sf http://127.0.0.1:7663/api/health/ready; do sleep 1; done': `${curl}:7663/api/security/users`,
}

test.skipIf(!hasEngines || !hasSamples)(
  '[N 3] docs/cluster.md leads to two processes of which one leads, and back',
  async () => {
    const said = await run('cluster', 'pulse-cluster', visits)
    expect(said).toMatch(/"samplesIn":"http:\/\/127\.0\.0\.1:/)
    expect(said).toContain('"leads":true')
    expect(said).toContain('"leads":false')
    expect(said).toContain('Set up sign-in')
    expect(said).toMatch(/Moved from pulse at[^]*Moved to again at[^]*Exported to[^]*Imported/)
    // the account is there again
    expect(said.slice(said.indexOf('Exported to'))).toContain('"owner"')
  },
)

test.skipIf(!hasEngines)('[N 4] docs/cluster.md leads to a collector without a database', async () => {
  const said = await run('collectors', 'pulse-sites')
  expect(said).toContain('The site "Berlin" has a new key.')
  expect(said).toContain('{"ready":true,"roles":["collect"],"leads":false}')
})

/** All that a failed run has left: servers that are still there belong to its process group. */
function end(group: number, folder: string) {
  try {
    process.kill(-group, 'SIGKILL')
  } catch {
    // all have ended
  }
  const data = path.join(home, `${folder}/postgres/postmaster.pid`)
  if (fs.existsSync(data)) execFileSync('kill', ['-QUIT', fs.readFileSync(data, 'utf8').split('\n')[0]!])
}
