import type { VersionInfo } from '@pulse/contract'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readInstallation } from './index.ts'

let root: string
let slot: string
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-slots-'))
  slot = path.join(root, 'slots/a')
  fs.mkdirSync(slot, { recursive: true })
  fs.symlinkSync('slots/a', path.join(root, 'current'))
  fs.writeFileSync(path.join(slot, 'release-key.pem'), 'a key')
})
function without(name: string): string {
  fs.rmSync(path.join(slot, name))
  return slot
}
afterEach(() => fs.rmSync(root, { recursive: true }))

test.each(['systemd', 'proxmoxve'] as const)(
  'an installed release of kind %s believes its own keys',
  (kind) => expect(readInstallation(slot, { deploymentType: kind })).toEqual({ keys: 'a key' }),
)

const cases: [string, VersionInfo['deploymentType'], () => string | undefined, string][] = [
  ['a container', 'docker', () => slot, 'Only an installed release can update itself.'],
  ['an archive unpacked by hand', 'manual', () => slot, 'Only an installed release can update itself.'],
  ['a unit of the user’s own', 'systemd', () => undefined, 'is not in slot a or b'],
  ['a release elsewhere', 'systemd', () => root, 'is not in slot a or b'],
  ['slots to which no link leads', 'systemd', () => without('../../current'), 'is not in slot a or b'],
  ['a release without a signing key', 'systemd', () => without('release-key.pem'), 'has no signing key'],
]
test.each(cases)('%s does not replace itself, and says why', (_what, deploymentType, release, why) =>
  expect(readInstallation(release(), { deploymentType })).toEqual({ why: expect.stringContaining(why) }),
)
