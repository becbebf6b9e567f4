import type { Explanation } from './explanation.ts'

/** Problems of listings, their media and what customers ask about them. */
export const LISTING_PROBLEMS = {
  listing_transition_not_allowed: {
    when: 'The listing’s status does not allow this move; `from`, `to` and `allowed` say which there are.',
    remedy: 'Read the listing again: somebody may have moved it meanwhile. An ARCHIVED one stays so.',
  },
  listing_incomplete: {
    when: 'A listing is handed in without what publication needs, or a change would remove it: title, description, price, location and one picture.',
    remedy: 'Ask for each field that `errors` names, and send the request again.',
  },
  reference_taken: {
    when: 'Another listing of the agent’s, not an ARCHIVED one, has this `reference`; `listingId` says which.',
    remedy:
      'An import has made this listing before: change the one that is there with `PATCH /listings/{id}`.',
  },
  draft_limit_reached: {
    when: 'The agent has as many drafts as they may have: 100, or what the operator allows.',
    remedy: 'Hand some in, or archive those that are not needed.',
  },
  review_limit_reached: {
    when: 'The agent has as many listings waiting for review as they may have: 20, or what the operator allows.',
    remedy: 'Wait for decisions, or take one back with `POST /listings/{id}/withdraw`.',
  },
  listing_limit_reached: {
    when: 'The agent has as many listings as they may have: 2,000, or what the operator allows.',
    remedy: 'Write to support: archived listings count too.',
  },
  listing_not_available: {
    when: 'A payment or a payment request names a listing that is not public now, or whose owner may not publish.',
    remedy: 'Tell the customer that it is not to be had at the moment, and look at the listing again later.',
  },
  listing_reserved: {
    when: 'Another customer’s payment of a requested deposit or purchase holds the listing: a PENDING one for 30 minutes.',
    remedy: 'Try again later: a payment that is not paid lets the listing go.',
  },
  own_listing: {
    when: 'An agent asks about their own listing, or pays for it.',
    remedy: 'Ask or pay as another account.',
  },
  other_side_gone: {
    when: 'The other side of the enquiry deleted their account or was banned.',
    remedy: 'Show the conversation without a field to write in.',
  },
  owner_not_verified: {
    when: 'A listing is to be published, a payout to be made or a payout account to be set for an agent who is not VERIFIED, is banned, or whose agent profile nobody has decided on yet.',
    remedy: 'Have an administrator decide the agent’s identity first, then repeat the request.',
  },
  media_not_ready: {
    when: 'A listing is to be published and has no picture that is READY.',
    remedy: 'Wait until one is processed, or ask the agent for another: a REJECTED one says why.',
  },
  media_limit_reached: {
    when: 'The listing has 40 pictures, films and plans, or this upload would make it more.',
    remedy: 'Delete some, or send fewer. Nothing of the upload was kept.',
  },
  media_required: {
    when: 'The last READY picture of a PUBLISHED or SUSPENDED listing is to be deleted.',
    remedy: 'Add another one first, and wait until it is published.',
  },
  open_request_limit_reached: {
    when: 'The enquiry has five OPEN payment requests.',
    remedy: 'Cancel one that is no longer meant.',
  },
} satisfies Record<string, Explanation>
