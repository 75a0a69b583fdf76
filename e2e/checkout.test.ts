import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksFor, commandsIn } from '../scripts/documented.ts'
import { root } from '../scripts/pinned-node.mjs'

/** What is said by what goes on until it is told to end; everything else ends by itself. */
const goesOn: readonly [RegExp, string][] = [
  [/^npm start$/, 'Pulse is ready at http'],
  [/^npm run demo\b/, 'Change the estate'],
  [/^npm run lab\b/, 'control http'],
]
/** What runs this. */
const isThis = (line: string): boolean => line === 'npm test'

describe('in a checkout, what the documents type works', () => {
  let folder: string
  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-checkout-'))
  })
  afterAll(() => fs.rmSync(folder, { recursive: true }))

  const lines = blocksFor('checkout').flatMap(commandsIn)
  test.concurrent.each([...new Set(lines)].filter((line) => !isThis(line)))('%s', async (line) => {
    const [npm, ...words] = line.split(' ')
    expect(npm).toBe('npm')
    const said = goesOn.find(([form]) => form.test(line))?.[1]
    const child = spawn('npm', words, {
      cwd: root,
      env: {
        ...process.env,
        PULSE_DATA_DIR: path.join(folder, String(lines.indexOf(line))),
        FRONTEND_PORT: await freePort(),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    })
    const ended = once(child, 'exit')
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => (text += part))
    if (said) {
      await Promise.race([
        expect.poll(() => text).toContain(said),
        ended.then(([code]) => Promise.reject(new Error(`${line} ended with ${String(code)}: ${text}`))),
      ])
      // npm and all that it has started
      process.kill(-child.pid!, 'SIGTERM')
      await ended
    } else expect(await ended).toEqual([0, null])
  })
})

async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return String(port)
}
