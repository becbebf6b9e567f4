import { PutObjectCommand } from '@aws-sdk/client-s3'
import { describe, expect, it } from 'vitest'
import { presignedGet } from '#lib/media/store/presigned-get.s3'
import { s3 } from '#lib/objects/s3-client'
import { TEST_BUCKETS } from '#test/support/test-stack'

const KEY = 'originals/lst_1/med_1'
const ATTACHED = { ResponseContentDisposition: 'attachment' }

describe('a private link', () => {
  it('opens one object of its bucket, as it is to be answered, for five minutes', async () => {
    for (const bucket of [TEST_BUCKETS.media, TEST_BUCKETS.documents]) {
      await s3().send(new PutObjectCommand({ Bucket: bucket, Key: KEY, Body: `in ${bucket}` }))
      const link = await presignedGet(bucket, KEY, ATTACHED)
      const response = await fetch(link)
      expect(response.headers.get('content-disposition')).toBe('attachment')
      expect(await response.text()).toBe(`in ${bucket}`)
      expect(new URL(link).searchParams.get('X-Amz-Expires')).toBe('300')
      const plain = await fetch(await presignedGet(bucket, KEY, {}))
      expect(plain.headers.get('content-disposition')).toBeNull()
      for (const other of [
        link.replace('attachment', 'inline'),
        link.replace('Expires=300', 'Expires=9000'),
      ]) {
        expect((await fetch(other)).status).toBe(403)
      }
    }
  })
})
