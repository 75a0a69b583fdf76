import type { BackupRow } from './backup-row.ts'

/** Cuts text to the column's width; the tooltip has all of it. */
function shortened(text: string, most: number): string {
  const characters = [...text]
  return characters.length <= most ? text : `${characters.slice(0, most - 3).join('')}...`
}

const DESCRIPTION = 35
const FILE_NAME = 30

/** A guest without a name is "Unnamed"; a host may have only a number. */
export const nameText = ({ name, type }: Pick<BackupRow, 'name' | 'type'>): string =>
  name || (type === 'Host' ? '-' : 'Unnamed')

/** Drops realm and token, which follow the `@`. */
export const ownerText = (owner: string): string => owner.split('@', 1)[0]!

/** The root namespace counts as none. */
export const isRoot = (namespace: string | undefined): boolean => !namespace || namespace === 'root'

export function locationText({ backupType, storage, datastore, namespace }: BackupRow): string | undefined {
  if (backupType === 'snapshot') return undefined
  const location = datastore ?? storage
  return isRoot(namespace) ? location : `${location}/${namespace}`
}

/** On one line, shortened; `fullDetails` has the whole text. */
export function detailsText(backup: BackupRow): string {
  const description = shortened(oneLine(backup.description), DESCRIPTION)
  if (backup.backupType === 'remote') return description
  const name = backup.backupType === 'local' ? shortened(fileName(backup), FILE_NAME) : backup.backupName
  return description ? `${name} · ${description}` : name
}

export const fullDetails = ({ backupName, description }: BackupRow): string =>
  [backupName, description].filter(Boolean).join('\n')

const fileName = ({ backupName }: BackupRow): string => backupName.split('/').at(-1)!
const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

export const sourceWords = { snapshot: 'Snapshot', local: 'PVE', remote: 'PBS' } as const

export const statusWords: Readonly<Record<string, string>> = {
  ok: 'OK',
  verified: 'Verified',
  unverified: 'Unverified',
  failed: 'Failed',
}
