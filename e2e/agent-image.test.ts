import type { DockerReport } from '@pulse/contract'
import { type Engine, startDocker } from '@pulse/testkit/engine'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { composeService } from './release/compose.ts'
import { base, importBase } from './release/image-base.ts'

const root = path.join(import.meta.dirname, '..')

const docker = await startDocker()
afterAll(() => docker?.stop())

/** Prints the report that comes in at the address of the agent's settings, which is inside of the engine's network. */
const listener = `require('node:http').createServer((request, response) => {
  let text = ''
  request.on('data', (part) => (text += part)).on('end', () => {
    if (request.url === '/api/agents/docker/report') console.log(text)
    response.end('{"success":true}')
  })
}).listen(7655, '127.0.0.1', () => console.log('listens'))`

async function aServerBeside({ enter }: Engine) {
  const [command, ...args] = [...enter, process.execPath, '-e', listener]
  const child = spawn(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const lines: string[] = []
  child.stdout.on('data', (part) => lines.push(...String(part).trim().split('\n')))
  await once(child.stdout, 'data')
  return { reports: () => lines.slice(1).map((line) => JSON.parse(line) as DockerReport), child }
}

describe.skipIf(!docker)('the image of the agent', () => {
  test('is made by its recipe, reports as nobody with nothing but the socket, and ends when told', async () => {
    const { cli, socket } = docker!
    await importBase(docker!)
    const recipe = path.join(root, 'deploy/docker-agent/Dockerfile')
    // older clients do without unless told, and send all of the repository
    process.env['DOCKER_BUILDKIT'] = '1'
    await cli('build', '-f', recipe, '--build-arg', `BASE=${base}`, '-t', 'pulse-docker-agent', root)
    const server = await aServerBeside(docker!)
    try {
      const compose = composeService(
        path.join(root, 'deploy/docker-agent/compose.yaml'),
        'pulse-docker-agent',
        {
          PULSE_URL: 'http://127.0.0.1:7655',
          PULSE_TOKEN: 'canary',
          DOCKER_GID: String(fs.statSync(socket).gid),
        },
      ).map((word) => word.replace(/^\/var\/run\/docker.sock:/, `${socket}:`))
      await cli('run', '-d', '--name', 'agent', '--network', 'host', '-e', 'PULSE_INTERVAL=1s', ...compose)
      await expect.poll(() => server.reports().length, { timeout: within(60_000) }).toBeGreaterThan(0)
      const [{ host, containers }] = server.reports() as [DockerReport]
      expect(host).toMatchObject({
        engine: 'docker',
        dockerVersion: await cli('version', '-f', '{{.Server.Version}}'),
      })
      expect(containers).toMatchObject([{ name: 'agent', image: 'pulse-docker-agent', state: 'running' }])
      expect(await cli('inspect', 'agent', '-f', '{{.Config.User}} {{.Config.Env}}')).toMatch(
        /^65532:65532 .*PULSE_NO_AUTO_UPDATE=true/,
      )
      await cli('stop', 'agent')
      expect(await cli('inspect', 'agent', '-f', '{{.State.ExitCode}}')).toBe('0')
    } finally {
      server.child.kill()
    }
  })
})
