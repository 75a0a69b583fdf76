import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksFor, commandsIn } from '../scripts/documented.ts'
import { root } from '../scripts/pinned-node.mjs'
import { within } from '../scripts/test-limits.ts'
import { watched, watching } from './release/install-methods.ts'

interface Run {
  port: string
  dataDir: string
}

/** Commands that run until they are stopped, with the line that they print when they are ready. The others exit. */
const longRunning: readonly { form: RegExp; says: string; afterwards?: (run: Run) => Promise<void> }[] = [
  { form: /^npm start$/, says: 'Pulse is ready at http', afterwards: watchesACluster },
  { form: /^npm run demo\b/, says: 'Change the estate' },
  { form: /^npm run lab\b/, says: 'control http' },
]
/** The command that runs this test. */
const isThis = (line: string): boolean => line === 'npm test'

describe('in a checkout, what the documents type works', () => {
  let folder: string
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-checkout-'))
  })
  afterAll(() => fs.rmSync(folder, { recursive: true }))

  const lines = [...new Set(blocksFor('checkout').flatMap(commandsIn))].filter((line) => !isThis(line))
  test.concurrent.each(lines)('%s', async (line) => {
    const [npm, ...words] = line.split(' ')
    expect(npm).toBe('npm')
    const run = { port: await freePorts(), dataDir: path.join(folder, String(lines.indexOf(line))) }
    const child = spawn('npm', words, {
      cwd: root,
      env: {
        ...process.env,
        PULSE_DATA_DIR: run.dataDir,
        FRONTEND_PORT: run.port,
        PULSE_LISTEN_ADDRESS: '127.0.0.1',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    })
    const ended = once(child, 'exit')
    const known = longRunning.find(({ form }) => form.test(line))
    if (!known) return void expect(await ended).toEqual([0, null])
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
    try {
      await Promise.race([
        expect.poll(() => text, { timeout: within(120_000) }).toContain(known.says),
        ended.then(([code]) => Promise.reject(new Error(`${line} ended with ${String(code)}: ${text}`))),
      ])
      await known.afterwards?.(run)
    } finally {
      // npm and all its child processes
      if (child.exitCode === null) process.kill(-child.pid!, 'SIGTERM')
      await ended
    }
  })
})

/** As in the tests of the other installation methods. */
async function watchesACluster({ port, dataDir }: Run): Promise<void> {
  const token = fs.readFileSync(path.join(dataDir, '.bootstrap_token'), 'utf8').trim()
  const [node, script] = watching
  const { stdout } = await promisify(execFile)(node, [script, `http://127.0.0.1:${port}`], {
    env: { ...process.env, SETUP_TOKEN: token },
  })
  expect(stdout).toBe(watched)
}

/** A free port whose next one, for the control of the demo's estate, is free too. Neither is one that the system gives away. */
async function freePorts(): Promise<string> {
  for (;;) {
    const port = 20_000 + 2 * Math.floor(Math.random() * 6_000)
    const areFree = await Promise.all([isFree(port), isFree(port + 1)])
    if (areFree.every(Boolean)) return String(port)
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
    return true
  } catch {
    return false
  } finally {
    server.close()
  }
}
