import type { Machine } from '@pulse/testkit/machine'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { blocksFor } from '../../scripts/documented.ts'
import { root } from '../../scripts/pinned-node.mjs'
import { followCommands } from './commands.ts'
import type { ReleaseFixture } from './fixtures.ts'

/** Sets up the server at this address (SETUP_TOKEN), starts a simulated cluster next to it, and prints its records. */
export const watching = [
  process.execPath,
  path.join(root, 'e2e/release/watch.mjs'),
  'http://127.0.0.1:7655',
] as const
export const watched = '3 nodes and their guests\n'

/** The commands of an installation method in deploy/README.md, for this release and this machine. */
function commandsOf(method: string, given: ReleaseFixture): string {
  const blocks = blocksFor(method)
  expect(blocks).toHaveLength(1)
  return blocks[0]!.text
    .replaceAll('pulse-v0.9.0-linux-amd64', given.name)
    .replaceAll('https://pulse.example.com/releases', 'http://127.0.0.1:8099')
}

/** Tests each method on an empty machine with the files of a release in a folder. */
export function installMethodTests(given: ReleaseFixture, on: Machine, release: string): void {
  describe('from an empty machine to a watched cluster, as deploy/README.md says', () => {
    const follow = async (folder: string, method: string, then = async () => {}) => {
      await on.sh(`mkdir -p ${folder}`)
      try {
        const served = `cd ${release}; busybox httpd -f -p 127.0.0.1:8099 >/dev/null 2>&1 & server=$!; trap 'kill $server' EXIT
          curl -s -o /dev/null --retry 100 --retry-delay 1 --retry-connrefused http://127.0.0.1:8099/`
        const run = await on.sh(`${served}\nset -e; cd ${folder}\n${commandsOf(method, given)}`)
        expect(run).toMatchObject({ code: 0 })
        const setUp = (await on.sh('cat /var/lib/pulse/.bootstrap_token')).stdout.trim()
        expect(await on.sh(watching.join(' '), { SETUP_TOKEN: setUp })).toMatchObject({
          code: 0,
          stdout: watched,
        })
        await then()
      } finally {
        await on.sh(`sh ${release}/install.sh --uninstall --purge`)
      }
    }

    test('by the script; the commands in the documents work', () =>
      follow(path.join(on.folder, 'fetched'), 'by-script', () => followCommands(on)))
    test('from an archive, by hand; the update unit is active', () =>
      follow(release, 'by-hand', async () => {
        const { stdout } = await on.sh('systemctl is-active pulse.service pulse-update.path')
        expect(stdout).toBe('active\nactive\n')
      }))
  })
}
