import type { MailGateway, PmgBackup } from '@pulse/contract'
import type { Rule, Subject } from '../judging.ts'
import { judgeAge } from './ages.ts'
import { mailAnomaly } from './mail-anomaly.ts'
import { mailQuarantine } from './mail-quarantine.ts'
import { mailQueues } from './mail-queues.ts'
import { hostDown, pmgOfflineId } from './source.ts'

export const gateways: Subject<'pmg'> = {
  kind: 'pmg',
  settings: 'pmg',
  resource: ({ id, name, host }) => ({ id, name, node: host, instance: name, type: 'PMG' }),
  down: (_gateway: MailGateway, on) => hostDown(on, pmgOfflineId(on.record)),
  rules: [mailQueues, mailQuarantine, mailAnomaly],
}

/** Judges the newest backup of each gateway node. */
const backupAge: Rule<PmgBackup> = {
  name: 'mail-backup-age',
  judge(backup, on) {
    const { node, instance, filename, source, backupTime } = backup
    if (!on.config.backupDefaults.enabled && !on.isWatched) return
    const newest = on.once('newest backups of gateways', () => newestByNode(on.tables.pmgBackups))
    const isNewest = newest.get(nodeOf(backup)) === backupTime
    judgeAge(on, {
      type: 'backup-age',
      at: Date.parse(backupTime),
      limits: on.config.backupDefaults,
      from: 'backupDefaults',
      resource: on.resource,
      off: on.policyOf('pmg', source, on.tables.pmg.get(source) ?? { id: `pmg-${instance}` }).ownOff,
      isReplaced: !isNewest,
      label: `The newest backup of mail gateway ${node}`,
      metadata: { source: 'PMG', lastBackupTime: backupTime, filename },
    })
  },
}

const nodeOf = ({ source, node }: PmgBackup) => `${source}:${node}`

function newestByNode(all: ReadonlyMap<string, PmgBackup>): ReadonlyMap<string, string> {
  const newest = new Map<string, string>()
  for (const backup of all.values()) {
    const node = nodeOf(backup)
    if (backup.backupTime > (newest.get(node) ?? '')) newest.set(node, backup.backupTime)
  }
  return newest
}

export const gatewayBackups: Subject<'pmgBackups'> = {
  kind: 'pmgBackups',
  together: true,
  resource: ({ node, instance }) => ({ id: `pmg-${instance}`, name: node, node, instance, type: 'PMG' }),
  rules: [backupAge],
}
