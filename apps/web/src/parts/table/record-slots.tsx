import { Fragment, type ReactNode } from 'react'

/** Where the narrow layout has the content of a column. */
export interface RecordSlot<Row> {
  slot: 'name' | 'badge' | 'fact' | 'figure' | 'action'
  /** label of a figure */
  label?: string
  draw?: (row: Row) => ReactNode
}

interface SlotColumn<Row> {
  header: string
  cell: (row: Row) => ReactNode
  phone?: RecordSlot<Row>
}

/** Name and badges, facts, labelled figures, then the actions. */
export function RecordSlots<Row>({ columns, row }: { columns: readonly SlotColumn<Row>[]; row: Row }) {
  const drawn = columns.flatMap(({ header, cell, phone }) => {
    const content = phone && (phone.draw ?? cell)(row)
    return phone && content !== undefined && content !== false ? [{ header, ...phone, content }] : []
  })
  const inSlot = (...slots: readonly string[]) => drawn.filter(({ slot }) => slots.includes(slot))
  const facts = inSlot('fact', 'figure')
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-center gap-x-2 font-medium break-all">
          {inSlot('name', 'badge').map(({ header, content }) => (
            <Fragment key={header}>{content}</Fragment>
          ))}
        </p>
        {facts.length > 0 && (
          <p className="text-xs break-words text-ink-2">
            {facts.map((one, index) => (
              <Fragment key={one.header}>
                {index > 0 && ' '}
                {/* keeps a label with its figure, and a separator with the preceding fact */}
                <span className="inline-block max-w-full">
                  {one.label !== undefined && `${one.label} `}
                  {one.content}
                  {index < facts.length - 1 && ' ·'}
                </span>
              </Fragment>
            ))}
          </p>
        )}
      </div>
      {inSlot('action').map(({ header, content }) => (
        <Fragment key={header}>{content}</Fragment>
      ))}
    </div>
  )
}
