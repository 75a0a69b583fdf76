import { type Figure, type FiguresOf, freshValue, type RecordKind, type RecordOf } from '@pulse/contract'
import type { Tables } from '@pulse/domain'
import type { Metric, Sample } from '../metric.ts'

type Aged = { staleSince?: number | undefined }

/** A metric of the records of one kind, created with the tables that it reads. */
export type KindMetric = (tables: Tables) => Metric

/**
 * Metrics of one kind of record. Their first label is the record's identity, which survives renaming and migration. The metric
 * `…_info` has names and locations as labels. Stale figures are absent.
 */
export function ofKind<K extends RecordKind>(kind: K) {
  type Record = RecordOf<K>

  const of = (
    text: Pick<Metric, 'name' | 'help' | 'labels'> & Partial<Pick<Metric, 'type'>>,
    read: (record: Record) => Iterable<Sample>,
    evenStale = false,
  ): KindMetric => {
    const isFresh = (record: Record) => evenStale || (record as Aged).staleSince === undefined
    return (tables) => ({
      type: 'gauge',
      ...text,
      labels: ['id', ...text.labels],
      *samples() {
        const table = tables[kind] as ReadonlyMap<string, Record>
        // The table changes between steps; a record that is removed and returns would be read twice.
        const ids = [...table.keys()]
        for (const id of ids) {
          const record = table.get(id)
          if (!record || !isFresh(record)) continue
          for (const [value, ...labels] of read(record)) yield [value, id, ...labels]
        }
      },
    })
  }

  return {
    /** The figures of the catalogue that Prometheus reads. */
    figures: (catalogue: FiguresOf<K>): KindMetric[] =>
      Object.values<Figure<Record>>(catalogue).flatMap((figure) => {
        if (!figure.prometheus) return []
        const { evenStale, ...text } = figure.prometheus
        return [of({ ...text, labels: [] }, (record) => [[freshValue(figure, record)]], evenStale)]
      }),
    /** A metric that is exported for stale records too. */
    state: (name: string, help: string, value: (record: Record) => Sample[0]) =>
      of({ name, help, labels: [] }, (record) => [[value(record)]], true),
    /** Several samples per record, with further labels. */
    split: (
      name: string,
      help: string,
      labels: readonly string[],
      values: (record: Record) => Iterable<Sample>,
    ) => of({ name, help, labels }, values),
    /** Names, locations and versions as labels. Always 1. */
    info: (name: string, help: string, texts: { [label: string]: (record: Record) => string | undefined }) =>
      of(
        { name, help, labels: Object.keys(texts) },
        (record) => [[1, ...Object.values(texts).map((text) => text(record))]],
        true,
      ),
  }
}

/** Undefined for a figure that is itself stale. */
export const fresh = <F extends { staleSince?: number | undefined }>(figure: F | undefined): F | undefined =>
  figure?.staleSince === undefined ? figure : undefined
