import { ConfirmUpdate } from '../../parts/updates/confirm-dialog.tsx'
import { UpdateProgress } from '../../parts/updates/progress-dialog.tsx'
import { useUpdateFlow } from '../../parts/updates/update-flow.ts'

/**
 * Mounted above all pages, so that navigation does not close the dialogs. Their code loads with the first
 * one.
 */
export default function UpdateDialogs() {
  const { dialog, wanted, progress } = useUpdateFlow()
  return (
    <>
      {wanted && <ConfirmUpdate wanted={wanted} open={dialog === 'confirm'} />}
      <UpdateProgress open={dialog === 'progress'} status={progress} />
    </>
  )
}
