import { openSandbox } from '@pulse/lab'
import { expect, test } from 'vitest'
import { commandsIn, shellBlocks } from './documented.ts'

const typed = (program: string) =>
  shellBlocks()
    .filter(({ document, mark }) => document === 'docs/connect.md' && mark === 'needs=proxmox')
    .flatMap(commandsIn)
    .filter((command) => command.includes(program))

/** Runs the commands on simulated hosts. */
async function rightsOn(product: 'pve' | 'pbs', version: string, program: string) {
  const host = await openSandbox({
    product,
    version,
    fingerprint: Array(32).fill('AB').join(':'),
    hostname: `${product}1`,
  })
  try {
    for (const command of typed(program))
      expect(await host.bash(['-c', command]), command).toMatchObject({ code: 0 })
    const { acl, tokens, roles } = host.accounts
    return {
      acl: acl.map(({ path, role, who }) => `${who} ${role} ${path}`).toSorted(),
      tokens: [...tokens.keys()],
      privileges: roles.get('PulseMonitor'),
    }
  } finally {
    await host.close()
  }
}

test.each([
  { version: '8.4.5', privilege: 'VM.Monitor' },
  { version: '9.0.10', privilege: 'VM.GuestAgent.Audit' },
])(
  'what is typed by hand on Proxmox VE $version gives the rights and a token',
  async ({ version, privilege }) => {
    expect(await rightsOn('pve', version, 'pveum')).toEqual({
      acl: [
        'pulse-monitor@pam PVEAuditor /',
        'pulse-monitor@pam PVEDatastoreAdmin /storage',
        'pulse-monitor@pam PulseMonitor /',
      ].toSorted(),
      tokens: ['pulse-monitor@pam!pulse-token'],
      privileges: ['Sys.Audit', privilege],
    })
  },
)

test('the manual steps on a Backup Server grant the rights to user and token', async () => {
  const { acl, tokens } = await rightsOn('pbs', '3.2.7', 'proxmox-backup-manager')
  const who = ['pulse-monitor@pbs', 'pulse-monitor@pbs!pulse-token']
  expect(acl).toEqual(who.flatMap((one) => [`${one} Audit /`, `${one} RemoteAudit /remote`]).toSorted())
  expect(tokens).toEqual(['pulse-monitor@pbs!pulse-token'])
})
