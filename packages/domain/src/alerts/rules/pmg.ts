import type { MailGateway, PmgBackup } from '@pulse/contract'
import type { Rule, Subject } from '../judging.ts'
import { judgeAge } from './ages.ts'
import { mailAnomaly } from './mail-anomaly.ts'
import { speakerOf } from './mail-limits.ts'
import { mailQuarantine } from './mail-quarantine.ts'
import { mailQueues } from './mail-queues.ts'
import { pmgOfflineId } from './source.ts'

export const gateways: Subject<'pmg'> = {
  kind: 'pmg',
  settings: 'pmg',
  together: true,
  resource: ({ id, name, host }) => ({ id, name, node: host, instance: name, type: 'PMG' }),
  down(gateway: MailGateway, on) {
    if (on.isOpen(pmgOfflineId(on.record))) return 'It is offline.'
    const speaker = speakerOf(gateway, on)
    return speaker === on.record
      ? undefined
      : `${on.tables.pmg.get(speaker)?.name ?? speaker} tells the same of its cluster.`
  },
  rules: [mailQueues, mailQuarantine, mailAnomaly],
}

/** The newest backup of each node of a gateway stands for all of them. */
const backupAge: Rule<PmgBackup> = {
  name: 'mail-backup-age',
  judge(backup, on) {
    const { node, instance, filename, source, backupTime } = backup
    if (!on.config.backupDefaults.enabled && !on.isWatched) return
    const isNewest = !newerExists(backup, on.tables.pmgBackups.values())
    judgeAge(on, {
      type: 'backup-age',
      at: Date.parse(backupTime),
      limits: on.config.backupDefaults,
      from: 'backupDefaults',
      resource: on.resource,
      off:
        on.policyOf('pmg', source, on.tables.pmg.get(source) ?? { id: `pmg-${instance}` }).off ??
        (isNewest ? undefined : 'There is a newer one.'),
      label: `The newest backup of mail gateway ${node}`,
      metadata: { source: 'PMG', lastBackupTime: backupTime, filename },
    })
  },
}

function newerExists({ source, node, backupTime }: PmgBackup, all: Iterable<PmgBackup>): boolean {
  for (const other of all)
    if (other.source === source && other.node === node && other.backupTime > backupTime) return true
  return false
}

export const gatewayBackups: Subject<'pmgBackups'> = {
  kind: 'pmgBackups',
  together: true,
  resource: ({ node, instance }) => ({ id: `pmg-${instance}`, name: node, node, instance, type: 'PMG' }),
  rules: [backupAge],
}
