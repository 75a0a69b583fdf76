import type { SourceKind } from '@pulse/contract'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Fieldset } from './fieldset.tsx'
import { kindTexts } from './kinds.ts'
import type { NodeFlags } from './node-form.ts'

interface MonitorFieldsProps {
  kind: SourceKind
  flags: NodeFlags
  onChange: (flags: NodeFlags) => void
}

export function MonitorFields({ kind, flags, onChange }: MonitorFieldsProps) {
  return (
    <Fieldset title="Monitor">
      <ul className="grid gap-2.5 sm:grid-cols-2">
        {kindTexts[kind].flags.map(({ flag, label, hint }) => (
          <li key={flag}>
            <Checkbox
              label={label}
              {...(hint && { hint })}
              checked={flags[flag] ?? false}
              onChange={(on) => onChange({ ...flags, [flag]: on })}
            />
          </li>
        ))}
      </ul>
    </Fieldset>
  )
}
