import { Button } from '../../../ui/button.tsx'
import { DialogCancel } from '../../../ui/dialog.tsx'

interface EditorActionsProps {
  shown: 'address' | 'script' | 'new' | 'change'
  isTesting: boolean
  isSaving: boolean
  /** saves a new node after a failed test, with a separate button */
  onSaveAnyway: (() => void) | undefined
  onTest: () => void
  onClose: () => void
}

/** In script mode there is no Save button: the script registers the server. */
export function EditorActions({
  shown,
  isTesting,
  isSaving,
  onSaveAnyway,
  onTest,
  onClose,
}: EditorActionsProps) {
  const isForm = shown === 'new' || shown === 'change'
  return (
    <div className="sticky -bottom-4 -mx-4 -mb-4 flex flex-wrap justify-end gap-2 rounded-b-lg border-t border-line bg-raised px-4 py-3">
      {isForm && (
        <Button disabled={isTesting} onClick={onTest} className="mr-auto">
          {isTesting ? 'Testing...' : 'Test connection'}
        </Button>
      )}
      <DialogCancel onClick={onClose} />
      {shown === 'address' && (
        <Button type="submit" variant="primary">
          Continue
        </Button>
      )}
      {onSaveAnyway && (
        <Button disabled={isSaving} onClick={onSaveAnyway}>
          Save anyway
        </Button>
      )}
      {isForm && (
        <Button type="submit" variant="primary" disabled={isSaving || (isTesting && shown === 'new')}>
          {isSaving ? 'Saving...' : shown === 'change' ? 'Update node' : 'Add node'}
        </Button>
      )}
    </div>
  )
}
