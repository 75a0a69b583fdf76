import { automaticBackupPollingSeconds, type SourceKind, type SystemSettings } from '@pulse/contract'
import type { Pace } from '../collectors/source.ts'

/** The polling intervals and timeouts for sources of that kind, from the settings. */
export function toPace(settings: SystemSettings, kind: SourceKind, withoutZfs = false): Pace {
  const seconds = settings[kind === 'pmg' ? 'pmgPollingInterval' : 'pbsPollingInterval']
  return {
    hostMs: seconds * 1000,
    timeoutMs: settings.connectionTimeout * 1000,
    ...(withoutZfs && { withoutZfs }),
    ...(settings.backupPollingEnabled && {
      backupsMs: (settings.backupPollingInterval || automaticBackupPollingSeconds) * 1000,
    }),
    ...(settings.adaptivePollingEnabled && {
      adaptive: {
        baseMs: settings.adaptivePollingBaseInterval * 1000,
        minMs: settings.adaptivePollingMinInterval * 1000,
        maxMs: settings.adaptivePollingMaxInterval * 1000,
      },
    }),
  }
}
