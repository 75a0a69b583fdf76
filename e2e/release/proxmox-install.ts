import type { Machine } from '@pulse/testkit/machine'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ReleaseFixture } from './fixtures.ts'
import { installTools } from './install-tools.ts'
import { likeProxmoxHost } from './proxmox-host.ts'

export function proxmoxHostTests(given: ReleaseFixture, on: Machine): void {
  describe('on a host of Proxmox VE', () => {
    const { archive, asked, listed, pathOf } = installTools(given, on)
    beforeAll(() => likeProxmoxHost(on))
    const make = (...words: string[]) =>
      on.sh(`sh ${pathOf('proxmox-lxc.sh')} --archive ${archive()} ${words.join(' ')}`)
    const said = async () => (await on.sh('cat /run/pct.log; rm /run/pct.log')).stdout

    test('creates an unprivileged container with Pulse in it; a second run uses the same container', async () => {
      const { code, stderr } = await make(
        '--storage',
        'fast',
        '--ip',
        '192.0.2.7/24',
        '--gateway',
        '192.0.2.1',
      )
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect((await said()).split('\n').find((line) => line.startsWith('create'))).toBe(
        'create 104 local:vztmpl/debian-12-standard_12.12-1_amd64.tar.zst --hostname pulse --unprivileged 1 --features nesting=1' +
          ' --cores 2 --memory 1024 --swap 512 --rootfs fast:8 --net0 name=eth0,bridge=vmbr0,ip=192.0.2.7/24,gw=192.0.2.1 --onboot 1 --tags pulse',
      )
      expect(await asked('/api/version')).toMatchObject({
        version: given.version,
        deploymentType: 'proxmoxve',
      })
      const again = await make()
      expect(again).toMatchObject({ code: 0, stderr: '' })
      expect(await said()).not.toMatch(/^(create|start)/m)
      expect(await asked('/api/health')).toMatchObject({ status: 'healthy' })
    })

    test.each([
      { words: ['--id', '200'], says: 'already exists as number 104' },
      { words: ['--hostname', 'mail', '--id', '104'], says: 'Container 104 is pulse, not mail' },
      { words: ['--bridge', 'vmbr0,ip=dhcp'], says: 'contains an invalid character' },
    ])('$words is refused before anything is changed', async ({ words, says }) => {
      const { code, stderr } = await make(...words)
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(says) })
      expect(await listed('/run/pct.log')).toEqual(says.includes('invalid') ? [] : ['/run/pct.log'])
      expect((await on.sh('cat /run/pct.log 2>/dev/null; rm -f /run/pct.log')).stdout).not.toMatch(
        /^(create|exec|push)/m,
      )
    })
  })
}
