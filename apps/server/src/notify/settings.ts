import type { TransferPart } from '../export-part.ts'
import type { RowCache } from '../row-cache.ts'
import {
  createSettingsDocument,
  type SettingsDefinition,
  type SettingsDocument,
  type SettingsEdges,
} from '../settings-document.ts'
import { createSignal, type OnSignal } from '../signal.ts'
import { createMutex } from '../timing/concurrency.ts'

/** Settings documents that are loaded and signalled together. */
export interface DocumentGroup extends RowCache {
  open<T, Shown = T>(definition: SettingsDefinition<T, Shown>): SettingsDocument<T, Shown>
  /** Fires after a change of one document, and once after a reload of all. */
  onChange: OnSignal
  /** in the order in which the documents were opened */
  exportParts: readonly TransferPart[]
  start(): Promise<void>
}

export function createDocumentGroup(edges: SettingsEdges): DocumentGroup {
  const changed = createSignal()
  const mutex = createMutex()
  const documents: Pick<RowCache, 'reload'>[] = []
  const exportParts: TransferPart[] = []
  let isReloading = false

  async function reload() {
    isReloading = true
    try {
      for (const document of documents) await document.reload()
    } finally {
      isReloading = false
    }
    changed.emit()
  }

  return {
    open(definition) {
      const document = createSettingsDocument(definition, edges, mutex)
      documents.push(document)
      exportParts.push(...document.exportParts)
      document.onChange(() => {
        if (!isReloading) changed.emit()
      })
      return {
        ...document,
        async change(to) {
          const next = await document.change(to)
          edges.log.info(
            { part: definition.key.replace('notifications.', '') },
            'notification settings changed',
          )
          return next
        },
      }
    },
    onChange: changed.on,
    exportParts,
    tables: ['settings'],
    runExclusive: mutex,
    reload,
    start: () => mutex(reload),
  }
}
