import type { SourceKind } from '@pulse/contract'

export interface ManualStep {
  title: string
  note?: string
  commands: readonly string[]
}

const agentPrivileges =
  `if pveum role list --output-format json | grep -q 'VM.Monitor'; ` +
  `then P="Sys.Audit,VM.Monitor"; else P="Sys.Audit,VM.GuestAgent.Audit"; fi; ` +
  `pveum role add PulseMonitor --privs "$P" || pveum role modify PulseMonitor --privs "$P"`

/** Commands for root on the monitored server, in order. */
export const manualSteps: Record<SourceKind, readonly ManualStep[]> = {
  pve: [
    {
      title: 'Create the monitoring user on any one node of the cluster',
      commands: ['pveum user add pulse-monitor@pam --comment "Pulse monitoring service"'],
    },
    {
      title: 'Let it read everything',
      commands: ['pveum acl modify / --users pulse-monitor@pam --roles PVEAuditor'],
    },
    {
      title: 'Let it ask the guest agents for disks and addresses',
      note: 'The privilege is called VM.Monitor up to Proxmox VE 8 and VM.GuestAgent.Audit from 9.',
      commands: [agentPrivileges, 'pveum acl modify / --users pulse-monitor@pam --roles PulseMonitor'],
    },
    {
      title: 'Let it list backups',
      note: 'PVEDatastoreAdmin also permits changes on storages, but without it Proxmox VE hides the backups. Leave it out when you do not need them.',
      commands: ['pveum acl modify /storage --users pulse-monitor@pam --roles PVEDatastoreAdmin'],
    },
    {
      title: 'Create the token',
      note: 'The value is shown only once. Enter it below with the token ID pulse-monitor@pam!pulse-token.',
      commands: ['pveum user token add pulse-monitor@pam pulse-token --privsep 0'],
    },
  ],
  pbs: [
    {
      title: 'Create the monitoring user',
      commands: ['proxmox-backup-manager user create pulse-monitor@pbs --comment "Pulse monitoring service"'],
    },
    {
      title: 'Create the token',
      note: 'The value is shown only once. Enter it below with the token ID pulse-monitor@pbs!pulse-token.',
      commands: ['proxmox-backup-manager user generate-token pulse-monitor@pbs pulse-token'],
    },
    {
      title: 'Let user and token read everything',
      note: 'A token may never do more than its user, so both need the role.',
      commands: [
        'proxmox-backup-manager acl update / Audit --auth-id pulse-monitor@pbs',
        "proxmox-backup-manager acl update / Audit --auth-id 'pulse-monitor@pbs!pulse-token'",
      ],
    },
    {
      title: 'Let them see the remotes of sync jobs',
      commands: [
        'proxmox-backup-manager acl update /remote RemoteAudit --auth-id pulse-monitor@pbs',
        "proxmox-backup-manager acl update /remote RemoteAudit --auth-id 'pulse-monitor@pbs!pulse-token'",
      ],
    },
    {
      title: 'Read the fingerprint of the certificate',
      note: 'Enter it below: backup servers use self-signed certificates.',
      commands: ['proxmox-backup-manager cert info | grep Fingerprint'],
    },
  ],
  pmg: [
    {
      title: 'Create the monitoring user',
      note: 'Or in the web interface of the gateway: Configuration, User Management, Local, with the role Auditor. Replace the dots with a password of your own.',
      commands: ["pmgsh create /access/users -userid pulse-monitor@pmg -role audit -password '…'"],
    },
    {
      title: 'Sign in with it',
      note: 'Enter the user pulse-monitor@pmg and its password below.',
      commands: [],
    },
  ],
}
