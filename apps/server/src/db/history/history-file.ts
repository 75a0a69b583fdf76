import {
  type Column,
  HistoryStore,
  precisionOf,
  type Precision,
  sampledFields,
  type SampleReads,
} from '@pulse/domain'
import type { FigureUnit, RecordKind } from '@pulse/contract'
import fs from 'node:fs'
import path from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import type { SampleStores } from '../../samples/store.ts'
import { openOnFullDisk } from '../full-disk.ts'
import { type Blobs, createBlobs } from './blobs.ts'
import { readTierSizes } from './block-sizes.ts'
import { isDamage } from './damage.ts'
import { ends } from './files.ts'
import type { Field, Opened, StoredSizes, Written } from './messages.ts'
import { openPast, type Past } from './past.ts'
import { readRemovedUntil } from './removals.ts'
import { openRetention, type Retention } from './retention-file.ts'
import { openThings, type ThingFile } from './thing-file.ts'
import { openTileFile } from './tile-file.ts'
import { transaction } from './transaction.ts'

const schema = `
  CREATE TABLE IF NOT EXISTS fields (
    number INTEGER PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (kind, name)
  );
`

export interface HistoryFile {
  opened(): Pick<Opened, 'fields' | 'removedUntil'>
  store: HistoryStore
  /** the samples that are read: those of the file, or of another store */
  samples: SampleReads
  things: ThingFile
  /** Throws while the disk has less than the reserve free. */
  demandRoom(): void
  past: Past
  retention: Retention
  sizes(): StoredSizes
  /** Gives space of what was removed back to the disk, in steps. */
  shrink(): Generator<void, void>
  /** False if the file was deleted: what is written now is lost when it is closed. */
  isInPlace(): boolean
  /** `isHeld`: another store gets nothing at the moment */
  append(at: number, columns: readonly Column[], isHeld?: boolean): Written
  close(): void
  /** Closes it without the samples and changes that are not durable. */
  abandon(): void
}

/**
 * Opens history.db, or begins it. It takes nothing while the disk has less than `reserveBytes` free: they belong
 * to pulse.db, which would otherwise be the one that finds the disk full. `others`: where samples are instead.
 */
export function openHistoryFile(
  file: string,
  wanted: readonly Omit<Field, 'number'>[],
  reserveBytes: number,
  others?: Pick<SampleStores, 'open'>,
): HistoryFile {
  const demandRoom = () => {
    const { bavail, bsize } = fs.statfsSync(path.dirname(file))
    if (bavail * bsize < reserveBytes)
      throw new Error(`less than ${Math.round(reserveBytes / 1e6)} MB of disk space are free`)
  }
  if (!fs.existsSync(file)) demandRoom()
  fs.closeSync(fs.openSync(file, 'a', 0o600))
  const db = openOnFullDisk(file)
  const blobs = createBlobs()
  try {
    refuseNewer(db)
    // The first has an effect on a new file only.
    db.exec('PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL')
    // In one transaction, it writes a fifth of the pages.
    const { fields, storage, things } = transaction(db, () => {
      db.exec(schema)
      db.exec(`PRAGMA user_version = ${version}`)
      return { fields: numberFields(db, wanted), storage: openTileFile(db, blobs), things: openThings(db) }
    })
    const precisions = new Map(fields.map((field) => [field.number, precisionFor(field)]))
    const store = new HistoryStore({
      storage,
      // a figure that an older version had
      precision: (field) => precisions.get(field) ?? precisionOf.count,
    })
    const other = others?.open({ fields, ...things })
    const samples: SampleReads = other?.reads ?? store
    const past = transaction(db, () => openPast(db, { samples, things, fields, blobs, demandRoom }))
    return {
      opened: () => ({ fields, removedUntil: readRemovedUntil(db) }),
      store,
      samples,
      things: {
        ...things,
        identify(...asked) {
          demandRoom()
          other?.thingsChanged()
          return things.identify(...asked)
        },
      },
      past,
      retention: openRetention(db),
      sizes() {
        const tiers = readTierSizes(db)
        const oldest = [...tiers.map((tier) => tier.oldest), store.oldestWaiting ?? Infinity]
        return {
          fileBytes: ends.reduce((sum, end) => sum + (sizeOf(file + end) ?? 0), 0),
          ...(Math.min(...oldest) < Infinity && { oldest: Math.min(...oldest) }),
          tiers,
        }
      },
      shrink: () => shrink(db),
      isInPlace: () => fs.existsSync(file),
      demandRoom,
      ...writing(db, { store, past, blobs, demandRoom }),
      ...(other && {
        append: (at: number, columns: readonly Column[], isHeld = false) => other.append(at, columns, isHeld),
      }),
    }
  } catch (error) {
    db.close()
    throw error
  }
}

/** Of the tables and of what is in them. A version that an older Pulse cannot read or write has another number. */
const version = 1

function refuseNewer(db: DatabaseSync): void {
  if (Number(db.prepare('PRAGMA user_version').get()!['user_version']) > version)
    throw new Error('it was written by a newer version of Pulse')
}

/** Free pages of each hour are used again by the next one. Only what is more than this part goes back. */
const mostFreePart = 0.1
const pagesPerStep = 256
/** About 100 MB. The next maintenance goes on. */
const stepsAtOnce = 100

function* shrink(db: DatabaseSync): Generator<void, void> {
  const read = (name: string) => Number(Object.values(db.prepare(`PRAGMA ${name}`).get()!)[0])
  for (let step = 0; step < stepsAtOnce; step++) {
    const [free, pages] = [read('freelist_count'), read('page_count')]
    if (free <= mostFreePart * pages) return
    db.exec(`PRAGMA incremental_vacuum(${Math.min(pagesPerStep, free)})`)
    // a file that was begun without it
    if (read('page_count') === pages) return
    yield
  }
}

const sizeOf = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.size

/** The numbers of fields stay, so that a figure keeps its history over updates. */
function numberFields(db: DatabaseSync, wanted: readonly Omit<Field, 'number'>[]): Field[] {
  const add = db.prepare('INSERT OR IGNORE INTO fields (kind, name) VALUES (?, ?)')
  for (const { kind, name } of wanted) add.run(kind, name)
  return db
    .prepare('SELECT number, kind, name FROM fields')
    .all()
    .map(({ number, kind, name }) => ({
      number: Number(number),
      kind: kind as RecordKind,
      name: String(name),
    }))
}

function precisionFor({ kind, name }: Field): Precision {
  const unit: FigureUnit | undefined = sampledFields.find(
    (field) => field.kind === kind && field.name === name,
  )?.unit
  return precisionOf[unit ?? 'count']
}

function writing(
  db: DatabaseSync,
  { store, past, blobs, demandRoom }: Pick<HistoryFile, 'store' | 'past' | 'demandRoom'> & { blobs: Blobs },
): Pick<HistoryFile, 'append' | 'close' | 'abandon'> {
  let error: string | undefined

  return {
    append(at, columns) {
      let lostTicks = 0
      let isTaken = false
      try {
        demandRoom()
        const isDurable = store.append(at, columns)
        isTaken = true
        // Until the file takes samples again, every tick tries it.
        if (error !== undefined && !isDurable) store.flush()
        error = undefined
      } catch (cause) {
        if (isDamage(cause)) throw cause
        // The minute before could not be stored. Memory stays bounded, and the next tick tries again.
        lostTicks = store.discard()
        if (!isTaken) store.append(at, columns)
        error = (cause as Error).message
      }
      const unreadable = blobs.unreadable()
      return { lostTicks, ...(unreadable > 0 && { unreadable }), ...(error !== undefined && { error }) }
    },
    close() {
      try {
        store.flush()
        past.flush()
      } finally {
        db.close()
      }
    },
    abandon: () => db.close(),
  }
}
