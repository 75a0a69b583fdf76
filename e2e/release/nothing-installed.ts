import type { Machine } from '@pulse/testkit/machine'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { aKey, type ReleaseFixture } from './fixtures.ts'
import { installTools } from './install-tools.ts'

/** What the install script refuses. */
export function nothingInstalledTests(given: ReleaseFixture, on: Machine): void {
  describe('nothing is installed', () => {
    const { archive, install, listed, pathOf } = installTools(given, on)
    const sums = () => fs.readFileSync(pathOf('SHA256SUMS'), 'utf8')
    const spoiled = async (name: string, change: (bytes: Buffer) => Buffer | undefined) => {
      const whole = fs.readFileSync(pathOf(name))
      const other = change(Buffer.from(whole))
      if (other) fs.writeFileSync(pathOf(name), other)
      else fs.rmSync(pathOf(name))
      try {
        return await install('--archive', archive())
      } finally {
        fs.writeFileSync(pathOf(name), whole)
      }
    }
    const flipped = (bytes: Buffer) => {
      bytes[bytes.length >> 1]! ^= 1
      return bytes
    }

    test.each([
      {
        what: 'one bit of the archive is another',
        name: () => `${given.name}.tar.gz`,
        change: flipped,
        says: 'does not match the published one',
      },
      {
        what: 'the list of checksums is another',
        name: () => 'SHA256SUMS',
        change: flipped,
        says: 'signature of the release is missing or invalid',
      },
      {
        what: 'the signature is another',
        name: () => 'SHA256SUMS.sig',
        change: flipped,
        says: 'signature of the release is missing or invalid',
      },
      {
        what: 'there is no signature',
        name: () => 'SHA256SUMS.sig',
        change: () => undefined,
        says: 'signature of the release is missing or invalid',
      },
      {
        what: 'there are no checksums',
        name: () => 'SHA256SUMS',
        change: () => undefined,
        says: 'no SHA256SUMS in the folder of',
      },
    ])('when $what', async ({ name, change, says }) => {
      const { code, stderr } = await spoiled(name(), change)
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(says) })
      expect(await listed('/opt/pulse')).toEqual([])
    })

    test('when it is signed with another key', async () => {
      const other = path.join(on.folder, 'other.pem')
      aKey(other)
      const signature = fs.readFileSync(pathOf('SHA256SUMS.sig'))
      spawnSync('openssl', [
        'pkeyutl',
        '-sign',
        '-inkey',
        other,
        '-rawin',
        '-in',
        pathOf('SHA256SUMS'),
        '-out',
        pathOf('SHA256SUMS.sig'),
      ])
      expect(fs.readFileSync(pathOf('SHA256SUMS.sig'))).not.toEqual(signature)
      const { code, stderr } = await install('--archive', archive())
      fs.writeFileSync(pathOf('SHA256SUMS.sig'), signature)
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('missing or invalid') })
    })

    test('when it is not signed, without --unsigned', async () => {
      const unsigned = pathOf('unsigned.sh')
      const text = fs.readFileSync(pathOf('install.sh'), 'utf8')
      fs.writeFileSync(unsigned, text.replace(/^readonly KEYS='[^']*'$/m, "readonly KEYS=''"))
      const { code, stderr } = await on.sh(`sh ${unsigned} --archive ${archive()}`)
      expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('--unsigned') })
    })

    test('when the script comes through a pipe and the current folder looks like a release', async () => {
      const { code, stderr } = await on.sh(`cd ${on.folder}/unpacked/${given.name} && sh <install.sh`)
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining('is not in the folder of a release'),
      })
      expect(await listed('/opt/pulse')).toEqual([])
    })

    test('when the v4 product is installed, or the script is incomplete', async () => {
      await on.sh('mkdir -p /opt/pulse/bin; touch /opt/pulse/bin/pulse')
      const { stderr } = await install('--archive', archive())
      expect(stderr).toContain('The older Pulse 4.x is installed')
      expect((await install('--uninstall', '--purge')).stderr).toContain('older Pulse 4.x')
      expect(await listed('/opt/pulse/bin')).toEqual(['pulse'])
      await on.sh('rm -r /opt/pulse')
      const text = fs.readFileSync(pathOf('install.sh'), 'utf8')
      for (let length = 0; length < text.length - 24; length += 1_493) {
        fs.writeFileSync(pathOf('part.sh'), text.slice(0, length))
        await on.sh(`sh ${pathOf('part.sh')} --archive ${archive()}`)
      }
      expect([await listed('/opt/pulse'), await listed('/etc/systemd/system/pulse.service')]).toEqual([
        [],
        [],
      ])
      expect(sums()).toContain(given.name)
    })
  })
}
