import type { PveMajor } from '../options.ts'

/** The roles of a release. `root@pam` has all privileges. */
const everyPrivilege: Record<PveMajor, readonly string[]> = {
  7: split(`Datastore.Allocate Datastore.AllocateSpace Datastore.AllocateTemplate Datastore.Audit Group.Allocate
    Permissions.Modify Pool.Allocate Pool.Audit Realm.Allocate Realm.AllocateUser SDN.Allocate SDN.Audit Sys.Audit
    Sys.Console Sys.Incoming Sys.Modify Sys.PowerMgmt Sys.Syslog User.Modify VM.Allocate VM.Audit VM.Backup VM.Clone
    VM.Config.CDROM VM.Config.CPU VM.Config.Cloudinit VM.Config.Disk VM.Config.HWType VM.Config.Memory
    VM.Config.Network VM.Config.Options VM.Console VM.Migrate VM.Monitor VM.PowerMgmt VM.Snapshot
    VM.Snapshot.Rollback`),
  8: [],
  9: [],
}
everyPrivilege[8] = [
  ...everyPrivilege[7],
  ...split('Mapping.Audit Mapping.Modify Mapping.Use SDN.Use Sys.AccessNetwork'),
]
everyPrivilege[9] = [
  ...everyPrivilege[8].filter((privilege) => privilege !== 'VM.Monitor'),
  ...split(`VM.GuestAgent.Audit VM.GuestAgent.FileRead VM.GuestAgent.FileSystemMgmt VM.GuestAgent.FileWrite
    VM.GuestAgent.Unrestricted VM.Replicate`),
]

export const allPrivileges = (major: PveMajor): readonly string[] => everyPrivilege[major]

export type RoleName =
  | 'PVEAuditor'
  | 'PVEDatastoreAdmin'
  | 'PVEVMUser'
  | 'NoAccess'
  /** The role that the setup commands create for a monitor. */
  | 'PulseMonitor'
  /** PVEAuditor before it could read from guest agents. */
  | 'AuditorWithoutAgent'

export function privilegesOf(role: RoleName, major: PveMajor): readonly string[] {
  switch (role) {
    case 'PVEAuditor':
      return [...auditor(major), ...(major === 9 ? ['VM.GuestAgent.Audit'] : [])]
    case 'AuditorWithoutAgent':
      return auditor(major)
    case 'PVEDatastoreAdmin':
      return split('Datastore.Allocate Datastore.AllocateSpace Datastore.AllocateTemplate Datastore.Audit')
    case 'PVEVMUser':
      return split('VM.Audit VM.Backup VM.Config.CDROM VM.Config.Cloudinit VM.Console VM.PowerMgmt')
    case 'PulseMonitor':
      return [
        'Sys.Audit',
        ...(major === 9 ? ['VM.GuestAgent.Audit', 'VM.GuestAgent.FileRead'] : ['VM.Monitor']),
      ]
    case 'NoAccess':
      return []
  }
}

const auditor = (major: PveMajor): readonly string[] => [
  ...split('Datastore.Audit Pool.Audit Sys.Audit VM.Audit SDN.Audit'),
  ...(major >= 8 ? ['Mapping.Audit'] : []),
]

function split(names: string): string[] {
  return names.split(/\s+/)
}
