import { isEqual } from '@pulse/domain'
import { useId, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Panel } from '../../../ui/panel.tsx'
import { useConfig } from '../config-edits.tsx'

/** Prefixes of container names that never alert. */
export function IgnoredPrefixes() {
  const { config, change } = useConfig()
  const [typed, setTyped] = useState('')
  const hintId = useId()
  const prefixes = config.dockerIgnoredContainerPrefixes
  const set = (text: string) => {
    setTyped(text)
    const after = [...parsePrefixes(text)]
    change((before) =>
      isEqual(before.dockerIgnoredContainerPrefixes, after)
        ? before
        : { ...before, dockerIgnoredContainerPrefixes: after },
    )
  }
  return (
    <Panel
      title="Ignored container prefixes"
      description={
        <span id={hintId}>
          One prefix per line. Containers whose name or ID begins with one of them raise no alerts; upper and
          lower case are equal.
        </span>
      }
      action={
        <Button disabled={prefixes.length === 0} onClick={() => set('')}>
          Reset
        </Button>
      }
    >
      <textarea
        aria-label="Ignored container prefixes"
        aria-describedby={hintId}
        rows={4}
        spellCheck={false}
        autoCapitalize="off"
        placeholder={'runner-\nci-job-'}
        // keep the text as typed, blanks included, while it parses to the current value
        value={isEqual(parsePrefixes(typed), prefixes) ? typed : prefixes.join('\n')}
        onChange={(event) => set(event.target.value)}
        className="w-full resize-y rounded-md border border-control bg-surface px-2.5 py-2 text-table text-ink placeholder:text-ink-3"
      />
    </Panel>
  )
}

/** One per line; blank lines are ignored. */
const parsePrefixes = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
