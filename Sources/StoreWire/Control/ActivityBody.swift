package import StoreModel

/// A request that a store answered.
package struct ActivityEntryBody: Codable, Hashable, Sendable {
    /// Its place among the world's requests, from 1, in the order of their answers.
    package var number: Int64
    /// The `Request-Id` of its answer, which the log has, too.
    package let request: String
    /// When it had arrived, by the real clock.
    package let at: Timestamp
    package let method: String
    /// As sent, without the query; at most 1,024 bytes.
    package let path: String
    /// Absent outside the environments.
    package let environment: StoreEnvironment?
    /// 0 when the connection was closed without an answer.
    package var status: Int
    /// Why it was refused, for programs: the code of the error, or a status of `verifyReceipt`.
    package var code: String?
    /// The same for people.
    package var why: String?
    /// From its last byte to its answer.
    package let microseconds: Int64
    /// Of the answer's body.
    package var bytes: Int64
    package let account: String?
    /// The number of the device in its world.
    package let device: Int64?
    package let bundleId: String?

    package init(
        number: Int64, request: String, at: Timestamp, method: String, path: String,
        environment: StoreEnvironment?, status: Int, code: String?, why: String?,
        microseconds: Int64, bytes: Int64, account: String?, device: Int64?, bundleId: String?
    ) {
        self.number = number
        self.request = request
        self.at = at
        self.method = method
        self.path = path
        self.environment = environment
        self.status = status
        self.code = code
        self.why = why
        self.microseconds = microseconds
        self.bytes = bytes
        self.account = account
        self.device = device
        self.bundleId = bundleId
    }
}

/// `GET /control/v1/activity`: a page of a world's latest requests.
package struct ActivitiesBody: Codable, Hashable, Sendable {
    package let requests: [ActivityEntryBody]
    /// Names the list that the numbers are of.
    package let list: String
    /// The `after` of the next page; absent on the last.
    package let next: Int64?
    /// The `after` from which a later request, the oldest first, has only what was not listed.
    package let position: Int64
    /// The oldest number that is kept; the next number when none is.
    package let first: Int64

    package init(
        requests: [ActivityEntryBody], list: String, next: Int64?, position: Int64, first: Int64
    ) {
        self.requests = requests
        self.list = list
        self.next = next
        self.position = position
        self.first = first
    }
}

/// A header field of a request, as far as it is kept.
package struct ActivityHeaderBody: Codable, Hashable, Sendable {
    package let name: String
    package let value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

/// What is kept of a body.
package struct ActivityPayloadBody: Codable, Hashable, Sendable {
    /// JSON without its secrets; absent for anything else.
    package let text: String?
    /// Of the whole body.
    package let bytes: Int64
    /// Whether `text` is only a part of it.
    package let isCut: Bool
    /// Of the whole body, in hexadecimal; absent when it has or may have secrets that could be guessed.
    package let sha256: String?

    package init(text: String?, bytes: Int64, isCut: Bool, sha256: String?) {
        self.text = text
        self.bytes = bytes
        self.isCut = isCut
        self.sha256 = sha256
    }
}

/// A line that the log has of a request.
package struct ActivityLineBody: Codable, Hashable, Sendable {
    package let level: String
    package let event: String
    /// By name; a secret is `<12 bytes>`.
    package let fields: [String: String]

    package init(level: String, event: String, fields: [String: String]) {
        self.level = level
        self.event = event
        self.fields = fields
    }
}

/// `GET /control/v1/activity/{number}`: the members of `ActivityEntryBody`, and more.
package struct ActivityDetailsBody: Codable, Hashable, Sendable {
    package let entry: ActivityEntryBody
    /// Absent without one.
    package let query: String?
    package let headers: [ActivityHeaderBody]
    /// Absent without one, and when only what the list has is kept.
    package let requestBody: ActivityPayloadBody?
    package let answerBody: ActivityPayloadBody?
    package let lines: [ActivityLineBody]

    package init(
        entry: ActivityEntryBody, query: String?, headers: [ActivityHeaderBody],
        requestBody: ActivityPayloadBody?, answerBody: ActivityPayloadBody?,
        lines: [ActivityLineBody]
    ) {
        self.entry = entry
        self.query = query
        self.headers = headers
        self.requestBody = requestBody
        self.answerBody = answerBody
        self.lines = lines
    }

    private enum CodingKeys: String, CodingKey {
        case query, headers, requestBody, answerBody, lines
    }

    package init(from decoder: any Decoder) throws {
        entry = try ActivityEntryBody(from: decoder)
        let members = try decoder.container(keyedBy: CodingKeys.self)
        query = try members.decodeIfPresent(String.self, forKey: .query)
        headers = try members.decode([ActivityHeaderBody].self, forKey: .headers)
        requestBody = try members.decodeIfPresent(ActivityPayloadBody.self, forKey: .requestBody)
        answerBody = try members.decodeIfPresent(ActivityPayloadBody.self, forKey: .answerBody)
        lines = try members.decode([ActivityLineBody].self, forKey: .lines)
    }

    package func encode(to encoder: any Encoder) throws {
        try entry.encode(to: encoder)
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encodeIfPresent(query, forKey: .query)
        try members.encode(headers, forKey: .headers)
        try members.encodeIfPresent(requestBody, forKey: .requestBody)
        try members.encodeIfPresent(answerBody, forKey: .answerBody)
        try members.encode(lines, forKey: .lines)
    }
}
