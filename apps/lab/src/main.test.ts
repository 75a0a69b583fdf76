import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createAsker, tokenHeader } from './fixtures-asking.ts'
import type { Lab } from './lab.ts'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
type Announced = Pick<Lab, 'clusters' | 'pbs' | 'pmg' | 'docker' | 'credentials' | 'controlUrl'>

test.each(['SIGINT', 'SIGTERM'] as const)(
  'the program announces itself and ends cleanly on %s',
  async (signal) => {
    const child = spawn(process.execPath, [main, '--nodes', '1', '--guests', '3', '--control', '0', '--json'])
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    const { clusters, credentials } = JSON.parse(line) as Announced
    const asker = createAsker(tokenHeader(credentials))
    expect((await asker.ask(clusters[0]!.nodes[0]!.url, '/version')).status).toBe(200)
    asker.close()
    child.kill(signal)
    expect(await once(child, 'exit')).toEqual([0, null])
  },
)

test('a child process sends its parent a message, and ends with it', async () => {
  const flags = '--nodes 1 --guests 3 --pbs 1 --pmg 2 --docker 1 --control 0'
  const child = fork(main, flags.split(' '), { silent: true })
  const [announced] = (await once(child, 'message')) as [Announced]
  expect(announced.clusters[0]!.nodes).toHaveLength(1)
  expect([announced.pbs.length, announced.pmg.length, announced.docker.length]).toEqual([1, 2, 1])
  expect(announced.pbs[0]!.credentials.tokenSecret).toHaveLength(36)
  expect(announced.controlUrl).toMatch(/^http/)
  child.disconnect()
  expect(await once(child, 'exit')).toEqual([0, null])
})

test('bad flags are explained with exit code 2', async () => {
  const child = spawn(process.execPath, [main, '--nodes', 'x'])
  const errors = child.stderr.toArray()
  expect(await once(child, 'exit')).toEqual([2, null])
  expect(Buffer.concat((await errors) as Buffer[]).toString()).toContain(
    '--nodes must be a whole number, not x',
  )
})

test('a used control port is reported in one line', async () => {
  const other = createServer()
  other.listen(0, '127.0.0.1')
  await once(other, 'listening')
  const { port } = other.address() as AddressInfo
  const child = spawn(process.execPath, [main, '--nodes', '1', '--guests', '1', '--control', String(port)])
  const errors = child.stderr.toArray()
  expect(await once(child, 'exit')).toEqual([1, null])
  expect(Buffer.concat((await errors) as Buffer[]).toString()).toBe(
    `listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
  )
  other.close()
})
