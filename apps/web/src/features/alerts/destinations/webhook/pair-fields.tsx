import { webhookLimits, secretMask } from '@pulse/contract'
import { Plus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { Button, IconButton } from '../../../../ui/button.tsx'
import { cx } from '../../../../ui/cx.ts'
import type { WebhookFieldsProps } from './address-fields.tsx'
import { nextKey, type Pair, type PairList, presetOf, problemOf, withPair } from './form.ts'

interface PairFieldsProps extends WebhookFieldsProps {
  list: PairList
  title: string
  description: string
  addText: string
}

/** Name and value pairs. Fields that the service requires keep their name and position. */
export function PairFields({ list, title, description, addText, ...fields }: PairFieldsProps) {
  const { form, template, problems, edit } = fields
  const pairs = form[list]
  const set = (change: readonly Pair[]) => edit({ [list]: change })
  return (
    <div role="group" aria-label={title} className="border-t border-line pt-4">
      <h3 className="text-table font-semibold">{title}</h3>
      <p className="mb-3 text-xs text-ink-2">{description}</p>
      {pairs.length > 0 && (
        <ul className="mb-3 flex flex-col gap-2">
          {pairs.map((pair, at) => {
            const preset = list === 'customFields' ? presetOf(template, pair) : undefined
            return (
              <PairLine
                key={pair.key}
                pair={pair}
                label={`${title.replace(/s$/, '')} ${at + 1}`}
                isFixed={preset?.required === true}
                hint={preset && (preset.required ? preset.label : `${preset.label}, optional`)}
                placeholder={preset?.placeholder}
                problem={problemOf(problems, list, pair)}
                onChange={(change) => set(withPair(pairs, pair.key, change))}
                onRemove={() => set(pairs.filter(({ key }) => key !== pair.key))}
              />
            )
          })}
        </ul>
      )}
      <Button
        disabled={pairs.length >= webhookLimits[list]}
        onClick={() => set([...pairs, { key: nextKey(pairs), name: '', value: '' }])}
      >
        <Plus aria-hidden size={14} />
        {addText}
      </Button>
    </div>
  )
}

interface PairLineProps {
  pair: Pair
  label: string
  isFixed: boolean
  hint: string | undefined
  placeholder: string | undefined
  problem: string | undefined
  onChange: (change: Partial<Pair>) => void
  onRemove: () => void
}

function PairLine(props: PairLineProps) {
  const { pair, label, isFixed, hint, placeholder, problem, onChange, onRemove } = props
  const noteId = useId()
  const note = problem ?? hint
  const text = { type: 'text', autoComplete: 'off', autoCapitalize: 'off', spellCheck: false } as const
  const described = note && { 'aria-describedby': noteId }
  return (
    <li>
      <div className="flex gap-2">
        <input
          {...text}
          {...described}
          aria-label={`${label}: name`}
          value={pair.name}
          readOnly={isFixed}
          maxLength={webhookLimits.nameLength}
          placeholder="Name"
          onChange={(event) => onChange({ name: event.target.value })}
          className={cx(
            look,
            'w-2/5',
            isFixed ? 'bg-sunken text-ink-2' : 'bg-surface text-ink',
            border(undefined),
          )}
        />
        <input
          {...text}
          {...described}
          aria-label={`${label}: value`}
          aria-invalid={problem !== undefined || undefined}
          value={pair.value}
          maxLength={webhookLimits.valueLength}
          placeholder={placeholder ?? 'Value'}
          // a masked value can only be replaced as a whole
          onFocus={(event) => pair.value === secretMask && event.target.select()}
          onChange={(event) => onChange({ value: event.target.value })}
          className={cx(look, 'flex-1 bg-surface text-ink', border(problem))}
        />
        {isFixed ? (
          <span aria-hidden className="size-8 shrink-0" />
        ) : (
          <IconButton label={`Remove ${label.toLowerCase()}`} onClick={onRemove}>
            <Trash2 aria-hidden size={14} />
          </IconButton>
        )}
      </div>
      {note && (
        <p id={noteId} className={cx('mt-1 text-xs', problem === undefined ? 'text-ink-3' : 'text-red')}>
          {note}
        </p>
      )}
    </li>
  )
}

const look = 'h-8 min-w-0 rounded-md border px-2.5 text-table placeholder:text-ink-3'
const border = (problem: string | undefined) => (problem === undefined ? 'border-control' : 'border-red')
