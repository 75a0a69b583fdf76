import { type Engine, startDocker } from '@pulse/testkit/engine'
import { type Machine, openMachine } from '@pulse/testkit/machine'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/pinned-node.mjs'
import { composeService } from './compose.ts'
import type { GivenRelease } from './given.ts'
import { base, importBase } from './image-base.ts'

const machine = await openMachine()
const docker = await startDocker()
const token = 'ways-0123456789abcdef'
const watch = path.join(root, 'e2e/release/watch.mjs')

/** The commands below a heading of deploy/README.md, for this release and this machine. */
function commandsOf(heading: string, given: GivenRelease): string {
  const text = fs.readFileSync(path.join(root, 'deploy/README.md'), 'utf8')
  const [, section = ''] = text.split(`\n## ${heading}\n`)
  const [, commands = ''] = /```sh\n([^]*?)```/.exec(section)!
  return commands
    .replaceAll('pulse-v0.1.0-linux-amd64', given.name)
    .replaceAll('https://pulse.example.com/releases', 'http://127.0.0.1:8099')
}

/** How long each takes is what the run says beside it. */
export function wayTests(given: GivenRelease): void {
  describe.skipIf(!machine)('from nothing to a watched cluster, as deploy/README.md says', () => {
    const on = machine as Machine
    beforeAll(async () => {
      fs.cpSync(given.folder, path.join(on.folder, 'release'), { recursive: true })
      await on.sh(`cd ${on.folder}/release && (busybox httpd -f -p 127.0.0.1:8099 &) >/dev/null 2>&1`)
    })
    afterEach(() => on.sh(`sh ${on.folder}/release/install.sh --uninstall --purge`))
    afterAll(() => on.close())

    const follow = async (folder: string, heading: string) => {
      await on.sh(`mkdir -p ${folder}; echo API_TOKENS=${token} >/etc/default/pulse`)
      const { code, stderr } = await on.sh(`set -e; cd ${folder}\n${commandsOf(heading, given)}`)
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) })
      const watched = await on.sh(`${process.execPath} ${watch} http://127.0.0.1:7655`, {
        PULSE_TOKEN: token,
      })
      expect(watched).toMatchObject({ code: 0, stdout: '20 guests\n' })
    }

    test('by the script', () => follow(path.join(on.folder, 'fetched'), 'By the script, on Debian'))
    test('from an archive, by hand', () =>
      follow(path.join(on.folder, 'release'), 'From an archive, by hand'))
  })

  describe.skipIf(!docker)('from nothing to a watched cluster', () => {
    afterAll(() => docker?.stop())

    test('as a container', async () => {
      const { cli, enter } = docker as Engine
      await importBase(docker as Engine)
      process.env['DOCKER_BUILDKIT'] = '1'
      const recipe = path.join(root, 'deploy/docker/Dockerfile')
      await cli('build', '-f', recipe, '--build-arg', `BASE=${base}`, '-t', 'pulse', given.folder)
      const words = composeService(path.join(root, 'deploy/docker/compose.yaml'), 'pulse', {})
      // the cluster that is played lives at addresses that a network of the container's own would not reach
      const published = words.indexOf('--publish')
      words.splice(published, 2)
      await cli('run', '-d', '--name', 'pulse', '--network', 'host', '-e', `API_TOKENS=${token}`, ...words)
      await cli('exec', 'pulse', '/opt/pulse/bin/pulse', 'health', '--wait', '60')
      const [command, ...args] = [...enter, process.execPath, watch, 'http://127.0.0.1:7655']
      const { stdout } = await promisify(execFile)(command!, args, {
        env: { ...process.env, PULSE_TOKEN: token },
      })
      expect(stdout).toBe('20 guests\n')
    })
  })
}
