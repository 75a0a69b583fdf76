import type { Engine } from '@pulse/testkit/engine'
import { execFile, execFileSync } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { blocksFor, commandsIn } from '../../scripts/documented.ts'
import { root } from '../../scripts/pinned-node.mjs'
import { within } from '../../scripts/test-limits.ts'
import { composeService } from './compose.ts'
import { typeDocker } from './docker-line.ts'
import type { ReleaseFixture } from './fixtures.ts'
import { base, importBase } from './image-base.ts'
import { watched, watching } from './install-methods.ts'

export function imageTests(given: ReleaseFixture, docker: Engine | undefined): void {
  describe.skipIf(!docker)('the image of the server, started from its compose file', () => {
    const { cli, enter } = docker as Engine
    beforeAll(async () => {
      await importBase(docker as Engine)
      process.env['DOCKER_BUILDKIT'] = '1'
      typed = await typeAll()
    })
    afterAll(() => docker?.stop())

    let typed: string[]
    /** Runs the commands of the documents and returns the output of the last command of each block. */
    const typeAll = async () => {
      const here = {
        build: ['--build-arg', `BASE=${base}`],
        variables: {},
        word: (word: string) => (word === 'dist/release' ? given.folder : word),
        run: ['--health-interval', '1s'],
      }
      const said: string[] = []
      for (const block of blocksFor('engine')) {
        let last = ''
        for (const line of commandsIn(block)) last = await typeDocker(docker as Engine, line, here)
        said.push(last)
      }
      return said
    }

    const run = async () => {
      const words = composeService(path.join(root, 'deploy/docker/compose.yaml'), 'pulse', {})
      await cli('run', '-d', '--name', 'pulse', '--health-interval', '1s', ...words)
      const health = () => cli('inspect', 'pulse', '-f', '{{.State.Health.Status}}')
      await vi.waitUntil(async () => (await health()) === 'healthy', {
        timeout: within(60_000),
        interval: 200,
      })
    }
    const fetched = (where: string) => {
      const [command, ...args] = [...enter, 'curl', '-s', `http://127.0.0.1:7655${where}`]
      return String(execFileSync(command!, args))
    }
    const token = () => cli('exec', 'pulse', '/opt/pulse/bin/pulse', 'bootstrap-token')

    test('is built and started by the commands in the documents, and prints its one-time token and its log', () => {
      expect(typed).toEqual([
        expect.stringMatching(/^[0-9a-f]{32}$/),
        expect.stringContaining('Pulse is ready at'),
      ])
    })

    test('answers with its version and deployment type', () => {
      expect(JSON.parse(fetched('/api/health'))).toMatchObject({ status: 'healthy' })
      expect(JSON.parse(fetched('/api/version'))).toMatchObject({
        version: given.version,
        build: given.build,
        deploymentType: 'docker',
        isSourceBuild: false,
      })
      expect(fetched('/')).toContain('<title>Pulse</title>')
    })

    test('[S21] runs as an unprivileged user without capabilities, and writes to its data volume only', async () => {
      const form =
        '{{.Config.User}} {{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}} {{.HostConfig.SecurityOpt}}'
      expect(await cli('inspect', 'pulse', '-f', form)).toBe(
        '65532:65532 true [ALL] [no-new-privileges:true]',
      )
      const status = await cli('exec', 'pulse', 'cat', '/proc/1/status')
      expect(status).toMatch(/^Uid:\s+65532\s+65532/m)
      expect(status).toMatch(/^CapEff:\s+0+$/m)
      await expect(cli('exec', 'pulse', 'touch', '/opt/pulse/x')).rejects.toThrow(/Read-only file system/)
      // all changed files are in the volume, which is not part of the container
      expect(await cli('diff', 'pulse')).toBe('')
    })

    test('exits cleanly on docker stop, and a new container continues with its data', async () => {
      const before = await token()
      expect(before).toMatch(/^[0-9a-f]{32}$/)
      await cli('stop', 'pulse')
      expect(await cli('inspect', 'pulse', '-f', '{{.State.ExitCode}}')).toBe('0')
      await cli('rm', 'pulse')
      await run()
      expect(await token()).toBe(before)
    })

    test('from nothing to a watched cluster', async () => {
      await cli('rm', '-f', '-v', 'pulse')
      await cli('volume', 'rm', 'pulse-data')
      const words = composeService(path.join(root, 'deploy/docker/compose.yaml'), 'pulse', {})
      // the simulated cluster has loopback addresses, which a separate container network cannot reach
      words.splice(words.indexOf('--publish'), 2)
      await cli('run', '-d', '--name', 'pulse', '--network', 'host', ...words)
      await cli('exec', 'pulse', '/opt/pulse/bin/pulse', 'health', '--wait', '60')
      const env = { ...process.env, SETUP_TOKEN: await token() }
      const [command, ...args] = [...enter, ...watching]
      const { stdout } = await promisify(execFile)(command!, args, { env })
      expect(stdout).toBe(watched)
    })
  })
}
