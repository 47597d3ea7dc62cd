import { useQuery } from '@tanstack/react-query'
import { type ReactNode, type Ref, useState } from 'react'
import { ErrorNotice } from '../ui/list-notice.tsx'
import { SkeletonRows } from '../ui/skeleton-rows.tsx'
import { client } from '../session/client.ts'
import { useAccount } from '../session/session-context.tsx'
import { text } from '../text/text.ts'
import styles from './floor-plans.module.css'
import { PlanCanvas } from './plan-canvas.tsx'
import type { FloorPlan } from './use-placed.ts'

type Props = {
  plan: Pick<FloorPlan, '_id' | 'name' | 'image'>
  sheet?: Ref<HTMLDivElement>
  /** Shown while the plan has no image. */
  missing: ReactNode
  /** The markers. */
  children: ReactNode
}

/** The image of a plan with markers on it, once it has loaded. */
export function PlanImage({ plan, sheet, missing, children }: Props) {
  const { data, error, refetch } = usePlanImage(plan)
  const [broken, setBroken] = useState<Blob>()
  if (plan.image === null) return <div className={styles.missing}>{missing}</div>
  const failure = error ?? (data !== undefined && data === broken ? new Error(text('floorPlans.broken')) : null)
  if (failure) return <ErrorNotice error={failure} onRetry={() => void refetch()} />
  if (!data) return <SkeletonRows count={4} />
  return (
    <PlanCanvas
      name={plan.name}
      image={data}
      size={plan.image}
      onBroken={() => setBroken(data)}
      {...(sheet ? { sheet } : {})}
    >
      {children}
    </PlanCanvas>
  )
}

/** The image of a plan. The tag changes with it, so that a new one is requested at once. */
function usePlanImage({ _id, image }: Pick<FloorPlan, '_id' | 'image'>) {
  const { ref } = useAccount()
  return useQuery({
    queryKey: ['floor-plan-image', ref, _id, image?.tag],
    queryFn: ({ signal }) => client.floorPlans.image(_id, { signal }),
    enabled: image !== null,
    staleTime: Number.POSITIVE_INFINITY,
  })
}
