import { ConfirmUpdate } from '../../parts/updates/confirm-dialog.tsx'
import { UpdateProgress } from '../../parts/updates/progress-dialog.tsx'
import { useUpdateFlow } from '../../parts/updates/update-flow.ts'

/** Over any page, so that going to another one ends nothing. Their code loads with the first of them. */
export default function UpdateDialogs() {
  const { dialog, wanted, progress } = useUpdateFlow()
  return (
    <>
      {wanted && <ConfirmUpdate wanted={wanted} open={dialog === 'confirm'} />}
      <UpdateProgress open={dialog === 'progress'} heard={progress} />
    </>
  )
}
