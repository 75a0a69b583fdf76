import { describe, expect, test } from 'vitest'
import { platform } from './manifest.ts'
import { planFor } from './routes.ts'

const plan = (
  deploymentType: Parameters<typeof planFor>[1]['version']['deploymentType'],
  why?: string,
  url?: string,
) => planFor('1.2.0', { version: { deploymentType }, why }, url)

describe('[facts/platform 12.3] the plan of an installation', () => {
  test.each(['systemd', 'proxmoxve'] as const)('of kind %s does it by itself', (kind) => {
    expect(plan(kind)).toEqual({
      canAutoUpdate: true,
      requiresRoot: true,
      rollbackSupport: true,
      estimatedTime: '2-5 minutes',
      prerequisites: ['Root access', 'Internet connection', 'At least 1 GB of free disk space'],
    })
  })

  test('that lies otherwise says why not, and how it is done by hand', () => {
    const why = 'This release has no signing key, so it cannot verify updates.'
    expect(
      plan('systemd', why, 'https://example.com/download/v1.2.0/pulse-v1.2.0-linux-amd64.tar.gz'),
    ).toEqual({
      canAutoUpdate: false,
      requiresRoot: true,
      rollbackSupport: false,
      estimatedTime: '2-5 minutes',
      prerequisites: ['Root access', why],
      instructions: [
        'curl -fsSLO https://example.com/download/v1.2.0/install.sh',
        'sudo sh install.sh --from https://example.com/download/v1.2.0',
      ],
    })
    for (const hostile of [undefined, 'https://example.com/$(id)/v1/a', 'https://example.com/;id;/a'])
      expect(plan('systemd', why, hostile).instructions).toEqual([
        'curl -fsSLO <address of the release v1.2.0>/install.sh',
        'sudo sh install.sh --from <address of the release v1.2.0>',
      ])
  })

  test('in a container is a newer image', () => {
    expect(plan('docker', 'Only an installed release can update itself.')).toEqual({
      canAutoUpdate: false,
      requiresRoot: false,
      rollbackSupport: true,
      estimatedTime: '1-2 minutes',
      instructions: [
        'docker pull pulse:1.2.0',
        'docker stop pulse && docker rm pulse',
        'docker run … pulse:1.2.0',
      ],
    })
  })

  test.each(['source', 'development'] as const)('of kind %s comes with the sources', (kind) => {
    expect(plan(kind, 'Only an installed release can update itself.')).toEqual({
      canAutoUpdate: false,
      requiresRoot: false,
      rollbackSupport: false,
      instructions: ['git checkout v1.2.0', 'npm start'],
    })
  })

  test('unpacked by hand is unpacked by hand', () => {
    const folder = `pulse-v1.2.0-${platform ?? 'linux-amd64'}`
    expect(plan('manual', 'Only an installed release can update itself.')).toEqual({
      canAutoUpdate: false,
      requiresRoot: false,
      rollbackSupport: false,
      prerequisites: [
        'The running container is stopped first',
        'The new container uses the same PULSE_DATA_DIR',
      ],
      instructions: [`tar -xzf ${folder}.tar.gz`, `${folder}/bin/pulse`],
    })
  })
})
