import { execFile, spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { anEngine, aServer } from './fixtures.ts'

const main = path.join(import.meta.dirname, 'main.ts')
const secret = 'tok-5ecret'

interface Ended {
  code: number | null
  said: string
}

const run = (args: string[], env: Record<string, string> = {}) =>
  new Promise<Ended>((resolve) => {
    execFile(process.execPath, [main, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr })
    })
  })

/** Runs the agent as a process, with an engine that has no containers. */
async function running(args: (url: string) => string[], env: Record<string, string> = {}) {
  const server = await aServer(() => ({ body: { success: true, hostId: 'ENGINE' } }))
  const engine = await anEngine((path) => {
    if (path === '/version') return { body: { ApiVersion: '1.41' } }
    return { body: path.endsWith('/info') ? { ID: 'ENGINE' } : [] }
  })
  const child = spawn(process.execPath, [main, ...args(server.target.url)], {
    env: { DOCKER_HOST: `unix://${engine.address.socketPath}`, ...env },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (said += String(text)))
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  onTestFinished(() => void child.kill('SIGKILL'))
  return { child, server, ended, said: () => said }
}

test('it prints its version and its help', async () => {
  expect(await run(['--version'])).toEqual({ code: 0, said: 'pulse-docker-agent dev\n' })
  const help = await run(['--help'])
  expect(help).toMatchObject({ code: 0, said: expect.stringContaining('PULSE_TARGETS') as unknown })
})

test('wrong settings are printed without the token', async () => {
  const { code, said } = await run(['--token', secret, '--url', 'nowhere'])
  expect(code).toBe(2)
  expect(said).toMatch(/^pulse-docker-agent: The URL of a server must begin with http/)
  expect(said).not.toContain(secret)
})

test('[S9] a token on its command line is shown neither by the list of processes nor by the log, and SIGTERM ends it', async () => {
  const { child, server, ended, said } = await running((url) => ['--url', url, '--token', secret])
  await expect.poll(() => server.asked).toHaveLength(1)
  expect(server.asked[0]!.headers['x-api-token']).toBe(secret)
  expect(fs.readFileSync(`/proc/${child.pid}/cmdline`, 'utf8')).not.toContain(secret)
  child.kill('SIGTERM')
  expect(await ended).toBe(0)
  expect(said()).toContain('accepts the reports of this host')
  expect(said()).toMatch(/warn.*command line.*PULSE_TOKEN/i)
  expect(said()).not.toContain(secret)
})

test('[S9] a token in its variable causes no warning', async () => {
  const { server, said } = await running((url) => ['--url', url], { PULSE_TOKEN: secret })
  await expect.poll(() => server.asked).toHaveLength(1)
  expect(said()).not.toContain('command line')
})
