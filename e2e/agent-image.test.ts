import type { DockerReport } from '@pulse/contract'
import { type Engine, startDocker } from '@pulse/testkit/engine'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { afterAll, describe, expect, test } from 'vitest'
import { blocksFor, commandsIn } from '../scripts/documented.ts'
import { within } from '../scripts/test-limits.ts'
import { typeDocker } from './release/docker-line.ts'
import { base, importBase } from './release/image-base.ts'

const docker = await startDocker()
afterAll(() => docker?.stop())

/** Prints the reports that arrive at the agent's PULSE_URL, inside the engine's network. */
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
  test('is built from its Dockerfile, reports as an unprivileged user with access to the socket only, and exits cleanly on docker stop', async () => {
    const { cli, socket } = docker!
    await importBase(docker!)
    // older clients use BuildKit only on request; without it they send the whole repository
    process.env['DOCKER_BUILDKIT'] = '1'
    const server = await aServerBeside(docker!)
    try {
      const here = {
        build: ['--build-arg', `BASE=${base}`],
        variables: {
          PULSE_URL: 'http://127.0.0.1:7655',
          PULSE_TOKEN: 'canary',
          DOCKER_GID: String(fs.statSync(socket).gid),
        },
        word: (word: string) => word.replace(/^\/var\/run\/docker.sock:/, `${socket}:`),
        run: ['--network', 'host', '-e', 'PULSE_INTERVAL=1s', '--health-interval', '1s'],
      }
      // as the documents show it
      const [block, ...others] = blocksFor('agent-engine')
      expect(others).toEqual([])
      const [group, ...lines] = commandsIn(block!)
      const [stat, ...words] = group!.replace('/var/run/docker.sock', socket).split(' ')
      expect(execFileSync(stat!, words, { encoding: 'utf8' }).trim()).toBe(here.variables.DOCKER_GID)
      for (const line of lines) await typeDocker(docker!, line, here)
      await expect.poll(() => server.reports().length, { timeout: within(60_000) }).toBeGreaterThan(0)
      const [{ host, containers }] = server.reports() as [DockerReport]
      expect(host).toMatchObject({
        engine: 'docker',
        dockerVersion: await cli('version', '-f', '{{.Server.Version}}'),
      })
      expect(containers).toMatchObject([
        { name: 'pulse-docker-agent', image: 'pulse-docker-agent', state: 'running' },
      ])
      expect(await cli('inspect', 'pulse-docker-agent', '-f', '{{.Config.User}} {{.Config.Env}}')).toMatch(
        /^65532:65532 .*PULSE_NO_AUTO_UPDATE=true/,
      )
      await expect
        .poll(() => cli('inspect', 'pulse-docker-agent', '-f', '{{.State.Health.Status}}'), {
          timeout: within(60_000),
        })
        .toBe('healthy')
      await cli('stop', 'pulse-docker-agent')
      expect(await cli('inspect', 'pulse-docker-agent', '-f', '{{.State.ExitCode}}')).toBe('0')
    } finally {
      server.child.kill()
    }
  })
})
