import { expect, test } from 'vitest'
import { kindTexts } from './kinds.ts'
import { manualSteps } from './manual-steps.ts'

const commands = (kind: keyof typeof manualSteps) => manualSteps[kind].flatMap((step) => step.commands)

test('[spec 2 §6] PVE: auditor, guest agent, backups, and a token named pulse-token', () => {
  expect(commands('pve')).toEqual([
    'pveum user add pulse-monitor@pam --comment "Pulse monitoring service"',
    'pveum acl modify / --users pulse-monitor@pam --roles PVEAuditor',
    expect.stringMatching(/Sys\.Audit,VM\.Monitor.*Sys\.Audit,VM\.GuestAgent\.Audit.*PulseMonitor/s),
    'pveum acl modify / --users pulse-monitor@pam --roles PulseMonitor',
    'pveum acl modify /storage --users pulse-monitor@pam --roles PVEDatastoreAdmin',
    'pveum user token add pulse-monitor@pam pulse-token --privsep 0',
  ])
})

test('[spec 2 §6] PBS: the role Audit on / for the user and for the token', () => {
  expect(commands('pbs')).toContain('proxmox-backup-manager acl update / Audit --auth-id pulse-monitor@pbs')
  expect(commands('pbs')).toContain(
    "proxmox-backup-manager acl update / Audit --auth-id 'pulse-monitor@pbs!pulse-token'",
  )
})

test('[spec 2 §6] PMG: a user with the role of an auditor, no token', () => {
  expect(commands('pmg')).toEqual([
    "pmgsh create /access/users -userid pulse-monitor@pmg -role audit -password '…'",
  ])
})

test('the accounts of the steps are those the fields suggest', () => {
  for (const kind of ['pve', 'pbs', 'pmg'] as const) {
    expect(commands(kind).join()).toContain(kindTexts[kind].user)
  }
})
