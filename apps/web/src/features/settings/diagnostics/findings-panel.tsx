import type { Diagnostics } from '@pulse/contract'
import { cx } from '../../../ui/cx.ts'
import { Notice } from '../../../ui/notice.tsx'
import { Panel } from '../../../ui/panel.tsx'

/** Errors and notes of the run. */
export function FindingsPanel({ result: { errors, notes, temperatureProxy } }: { result: Diagnostics }) {
  const all = [...notes, ...temperatureProxy.notes]
  if (errors.length + all.length === 0) return null
  return (
    <Panel title="Notes">
      <div className="flex flex-col gap-3">
        {errors.length > 0 && (
          <Notice tone="red" title={errors.length === 1 ? 'One problem' : `${errors.length} problems`}>
            <TextList label="Problems" texts={errors} />
          </Notice>
        )}
        {all.length > 0 && <TextList label="Notes" texts={all} />}
      </div>
    </Panel>
  )
}

export function TextList({ label, texts }: { label: string; texts: readonly string[] }) {
  return (
    <ul
      aria-label={label}
      className={cx(
        'flex flex-col gap-0.5 text-table break-words text-ink-2',
        texts.length > 1 && 'list-disc pl-4',
      )}
    >
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  )
}
