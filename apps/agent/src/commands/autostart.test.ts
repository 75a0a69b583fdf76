import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { aFolder } from '../fixtures.ts'
import { autostart } from './autostart.ts'

/** A host's root folder. Its systemctl records its arguments and environment. */
function aHost(files: Record<string, string>, systemctl?: string) {
  const root = `${aFolder()}/`
  const write = (name: string, text: string, mode = 0o644) => {
    fs.mkdirSync(path.dirname(root + name), { recursive: true })
    fs.writeFileSync(root + name, text, { mode })
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  const note = `${root}asked`
  if (systemctl !== undefined) {
    write('usr/bin/systemctl', `#!/bin/sh\necho "$@" >>${note}\nexport >>${note}\n${systemctl}\n`, 0o755)
  }
  const noted = () => (fs.existsSync(note) ? fs.readFileSync(note, 'utf8') : '')
  return { host: autostart(root), noted, has: (name: string) => fs.existsSync(root + name) }
}

const unit = { 'etc/systemd/system/pulse-docker-agent.service': '' }

test('[S12] its unit is disabled by the full path of systemctl, which gets no token', async () => {
  process.env['PULSE_TOKEN'] = 'tok-5ecret'
  try {
    const { host, noted } = aHost(unit, 'exit 0')
    await host.disable()
    await host.letEnd()
    const words = noted().split('\n')
    expect(words[0]).toBe('disable pulse-docker-agent.service')
    expect(words).toContain('stop --no-block pulse-docker-agent.service')
    expect(noted()).not.toContain('5ecret')
  } finally {
    delete process.env['PULSE_TOKEN']
  }
})

test('a failure to disable it is reported in the words of systemctl', async () => {
  const { host } = aHost(unit, 'echo "Failed to disable unit: Access denied" >&2; exit 1')
  await expect(host.disable()).rejects.toThrow(
    /^systemctl disable .* failed: Failed to disable unit: Access denied$/,
  )
})

test('a unit without systemctl is an error', async () => {
  await expect(aHost(unit).host.disable()).rejects.toThrow(/systemctl is not found/)
})

test('[facts 3.6] on Unraid its start script and its log are removed', async () => {
  const files = ['boot/config/go.d/pulse-docker-agent.sh', 'var/log/pulse-docker-agent.log']
  const { host, has, noted } = aHost(Object.fromEntries(files.map((file) => [file, 'x'])), 'exit 1')
  await host.disable()
  expect(files.map(has)).toEqual([false, false])
  expect(noted(), 'there is no unit').toBe('')
})

test('where it does not start at boot there is nothing to do', async () => {
  const { host } = aHost({})
  await host.disable()
  await host.letEnd()
})
