import type { RecordKind } from '@pulse/contract'
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react'
import { createCrosshair, type Crosshair } from '../chart/crosshair.ts'
import { useChoice } from './choices.ts'
import type { HistoryChoice } from './range.ts'

interface HistoryControls {
  choice: HistoryChoice
  setChoice: (change: HistoryChoice) => void
  crosshair: Crosshair
}

const GroupContext = createContext<HistoryControls | undefined>(undefined)

interface HistoryGroupProps {
  /** the thing whose choice it begins with, and remembers */
  kind: RecordKind
  id: string
  children: ReactNode
}

/** Charts of several things on one page have one range, one zoom and one crosshair. */
export function HistoryGroup({ kind, id, children }: HistoryGroupProps) {
  const key = `${kind} ${id}`
  return (
    <Group key={key} choiceKey={key}>
      {children}
    </Group>
  )
}

const Group = ({ choiceKey, children }: { choiceKey: string; children: ReactNode }) => (
  <GroupContext value={useOwnControls(choiceKey)}>{children}</GroupContext>
)

/** Those of the group; without one, those of the thing alone. */
export function useControls(key: string): HistoryControls {
  const own = useOwnControls(key)
  return useContext(GroupContext) ?? own
}

function useOwnControls(key: string): HistoryControls {
  const [choice, setChoice] = useChoice(key)
  const [crosshair] = useState(createCrosshair)
  return useMemo(() => ({ choice, setChoice, crosshair }), [choice, setChoice, crosshair])
}
