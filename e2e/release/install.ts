import type { Machine } from '@pulse/testkit/machine'
import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { root } from '../../scripts/pinned-node.mjs'
import type { ReleaseFixture } from './fixtures.ts'
import { installMethodTests } from './install-methods.ts'
import { installTools } from './install-tools.ts'
import { nothingInstalledTests } from './nothing-installed.ts'
import { proxmoxHostTests } from './proxmox-install.ts'

const shellcheck = spawnSync('/usr/bin/shellcheck', ['--version']).status === 0
if (!shellcheck) console.log('skipped: no shellcheck')
const analyze = spawnSync('/usr/bin/systemd-analyze', ['--version']).status === 0
if (!analyze) console.log('skipped: no systemd-analyze')

export function installTests(given: ReleaseFixture, machine: Machine | undefined): void {
  describe('[S20] the install script', () => {
    test.skipIf(!shellcheck).each(['sh', 'dash', 'bash'])('passes shellcheck for %s', (shell) => {
      const made = ['install.sh', 'proxmox-lxc.sh'].map((name) => path.join(given.folder, name))
      const scripts = [...made, path.join(root, 'deploy/release/pulse')]
      const { stdout, status } = spawnSync(
        'shellcheck',
        [`--shell=${shell}`, '--severity=style', ...scripts],
        {
          encoding: 'utf8',
        },
      )
      expect({ stdout, status }).toEqual({ stdout: '', status: 0 })
    })
  })

  describe.skipIf(!machine)('on a machine', () => {
    const on = machine as Machine
    beforeAll(async () => {
      fs.cpSync(given.folder, path.join(on.folder, 'release'), { recursive: true })
      await on.sh(`mkdir ${on.folder}/unpacked && tar -xzf ${archive()} -C ${on.folder}/unpacked`)
    })
    afterAll(() => on.close())
    const { archive, asked, install, listed } = installTools(given, on)

    nothingInstalledTests(given, on)

    test('downloads the release and runs it as a service with few rights', async () => {
      await on.sh(
        `cd ${on.folder}/release && (busybox httpd -f -p 127.0.0.1:8099 & echo $! >../httpd.pid) >/dev/null 2>&1`,
      )
      await on.sh(
        'curl -s -o /dev/null --retry 100 --retry-delay 1 --retry-connrefused http://127.0.0.1:8099/',
      )
      const { code, stderr, stdout } = await install('--from', 'http://127.0.0.1:8099/')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toContain(`Pulse ${given.version} is running: http://`)
      await on.sh(`kill $(cat ${on.folder}/httpd.pid)`)
      expect(await asked('/api/health')).toMatchObject({ status: 'healthy' })
      expect(await asked('/api/version')).toMatchObject({
        version: given.version,
        build: given.build,
        deploymentType: 'systemd',
        isDocker: false,
        isSourceBuild: false,
      })
      const { stdout: status } = await on.sh('cat /proc/$(systemctl main-pid pulse)/status')
      expect(status).toMatch(/^CapBnd:\s+0+$/m)
      expect(status).toMatch(/^NoNewPrivs:\s+1$/m)
      expect(status).not.toMatch(/^Uid:\s+0\b/m)
      const { stdout: rights } = await on.sh(
        'stat -c "%a %U %n" /var/lib/pulse /etc/default/pulse /opt/pulse/slots/a/bin/node',
      )
      expect(rights.trim().split('\n')).toEqual([
        '700 pulse /var/lib/pulse',
        '640 root /etc/default/pulse',
        '755 root /opt/pulse/slots/a/bin/node',
      ])
      expect((await on.sh('find /var/lib/pulse ! -user pulse -o -type f -perm /077')).stdout).toBe('')
    })

    test('the server delivers the page, and the pulse command talks to the service', async () => {
      expect((await on.sh('curl -s http://127.0.0.1:7655/')).stdout).toContain('<title>Pulse</title>')
      expect((await on.sh('pulse version')).stdout).toBe(`${given.version} (${given.build})\n`)
      expect((await on.sh('pulse bootstrap-token')).stdout).toMatch(/^[0-9a-f]{32}\n$/)
      expect(await on.sh(`pulse health --expect ${given.version}`)).toMatchObject({
        code: 0,
        stdout: `healthy ${given.version}\n`,
      })
      expect(await on.sh('pulse health --expect 99.0.0')).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('not 99.0.0'),
      })
    })

    test.skipIf(!analyze)('[S21] systemd understands the units, and calls them little exposed', async () => {
      const units = '/etc/systemd/system/pulse.service /etc/systemd/system/pulse-update.service'
      const { stdout, stderr } = await on.sh(
        `systemd-analyze verify --man=no ${units} /etc/systemd/system/pulse-update.path`,
      )
      expect((stdout + stderr).split('\n').filter((line) => line.includes('pulse'))).toEqual([])
      // out of 100; a service without any limit scores 96
      expect(
        (await on.sh(`systemd-analyze security --offline=true --threshold=18 ${units.split(' ')[0]}`)).code,
      ).toBe(0)
      expect(
        (await on.sh(`systemd-analyze security --offline=true --threshold=28 ${units.split(' ')[1]}`)).code,
      ).toBe(0)
    })

    test('a second run keeps data and settings, uses the other slot, and leaves no duplicates', async () => {
      const before = (await on.sh('pulse bootstrap-token; cat /etc/default/pulse')).stdout
      const { code, stderr } = await on.sh(`sh ${on.folder}/unpacked/${given.name}/install.sh --port 7656`)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      const { stdout } = await on.sh(
        'pulse bootstrap-token; cat /etc/default/pulse; readlink /opt/pulse/current',
      )
      expect(stdout).toBe(`${before}FRONTEND_PORT=7656\nslots/b\n`)
      expect((await on.sh('curl -s http://127.0.0.1:7656/api/health')).stdout).toContain('healthy')
      expect(await listed('/opt/pulse')).toEqual(['current', 'slots'])
      expect((await on.sh('grep -c ^pulse: /etc/passwd')).stdout).toBe('1\n')
    })

    test('a release that does not answer is replaced by the previous one', async () => {
      const folder = path.join(on.folder, 'broken')
      await on.sh(`cp -al ${on.folder}/unpacked ${folder} && rm ${folder}/*/server/dist/*.*js`)
      fs.writeFileSync(path.join(folder, given.name, 'server/dist/main.js'), 'process.exit(1)\n')
      fs.writeFileSync(path.join(folder, given.name, 'server/dist/health.cjs'), 'process.exit(1)\n')
      const { code, stderr } = await on.sh(`sh ${folder}/${given.name}/install.sh`)
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringContaining('the previous version is running again'),
      })
      expect((await on.sh('readlink /opt/pulse/current')).stdout).toBe('slots/b\n')
      expect(await on.sh('pulse health --wait 60')).toMatchObject({ code: 0, stdout: 'healthy\n' })

      const asked = '/opt/pulse/slots/b/server/dist/health.cjs'
      await on.sh(`cp -p ${asked} ${folder}/kept && echo 'process.exit(1)' >${asked}`)
      const neither = await on.sh(`sh ${folder}/${given.name}/install.sh`)
      expect(neither).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('and neither does the restored previous version'),
      })
      await on.sh(`cp -p ${folder}/kept ${asked}`)
      expect(await on.sh('pulse health --wait 60')).toMatchObject({ code: 0, stdout: 'healthy\n' })
    })

    test('--uninstall keeps data and settings, --purge does not, and files of other programs stay', async () => {
      await on.sh('mkdir -p /etc/pulse; echo "PulseAudio" >/etc/pulse/client.conf')
      await on.sh('mkdir -p /opt/pulse/compose; echo "another program" >/opt/pulse/compose/compose.yaml')
      for (const _ of [1, 2]) expect((await install('--uninstall')).code).toBe(0)
      expect([await listed('/opt/pulse'), await listed('/usr/local/bin/pulse')]).toEqual([['compose'], []])
      await on.sh('rm -r /opt/pulse/compose')
      expect(
        (await on.sh('ls /etc/systemd/system/pulse* /etc/systemd/system/*.wants/pulse*; pgrep -u pulse'))
          .stdout,
      ).toBe('')
      expect(await listed('/var/lib/pulse')).toContain('pulse.db')
      for (const _ of [1, 2]) expect((await install('--uninstall', '--purge')).code).toBe(0)
      expect([await listed('/var/lib/pulse'), await listed('/etc/default/pulse')]).toEqual([[], []])
      expect((await on.sh('getent passwd pulse')).stdout).toBe('')
      expect(await listed('/etc/pulse/client.conf')).toEqual(['/etc/pulse/client.conf'])
    })

    if (machine) installMethodTests(given, on, path.join(on.folder, 'release'))
    proxmoxHostTests(given, on)
  })
}
