import { CopyField } from '../../../ui/copy-field.tsx'
import { restartSteps } from './restart-steps.ts'

export function RestartInstructions({ deploymentType }: { deploymentType: string | undefined }) {
  const { text, command } = restartSteps(deploymentType)
  return (
    <div className="flex flex-col gap-2 text-table text-ink-2">
      <p>{text}</p>
      <CopyField label="Command" value={command} />
    </div>
  )
}
