#include "console_files.h"

// In C, whose compiler embeds a file in no time; Swift has no such directive, and an array of numbers
// takes it minutes. ConsoleFilesTests compare the list with the folder.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char action_js[] = {
#embed "files/action.js"
};
static const unsigned char address_js[] = {
#embed "files/address.js"
};
static const unsigned char app_js[] = {
#embed "files/app.js"
};
static const unsigned char backend_index_js[] = {
#embed "files/backend/index.js"
};
static const unsigned char backend_parts_js[] = {
#embed "files/backend/parts.js"
};
static const unsigned char backend_settings_js[] = {
#embed "files/backend/settings.js"
};
static const unsigned char backend_submissions_js[] = {
#embed "files/backend/submissions.js"
};
static const unsigned char backend_subscriptions_js[] = {
#embed "files/backend/subscriptions.js"
};
static const unsigned char backend_users_js[] = {
#embed "files/backend/users.js"
};
static const unsigned char clock_js[] = {
#embed "files/clock.js"
};
static const unsigned char command_js[] = {
#embed "files/command.js"
};
static const unsigned char connection_js[] = {
#embed "files/connection.js"
};
static const unsigned char console_css[] = {
#embed "files/console.css"
};
static const unsigned char dom_js[] = {
#embed "files/dom.js"
};
static const unsigned char follow_js[] = {
#embed "files/follow.js"
};
static const unsigned char format_js[] = {
#embed "files/format.js"
};
static const unsigned char header_js[] = {
#embed "files/header.js"
};
static const unsigned char icon_svg[] = {
#embed "files/icon.svg"
};
static const unsigned char icons_js[] = {
#embed "files/icons.js"
};
static const unsigned char index_html[] = {
#embed "files/index.html"
};
static const unsigned char keys_js[] = {
#embed "files/keys.js"
};
static const unsigned char navigation_js[] = {
#embed "files/navigation.js"
};
static const unsigned char notices_js[] = {
#embed "files/notices.js"
};
static const unsigned char parts_css[] = {
#embed "files/parts.css"
};
static const unsigned char parts_basics_js[] = {
#embed "files/parts/basics.js"
};
static const unsigned char parts_clock_js[] = {
#embed "files/parts/clock.js"
};
static const unsigned char parts_dialog_js[] = {
#embed "files/parts/dialog.js"
};
static const unsigned char parts_filters_js[] = {
#embed "files/parts/filters.js"
};
static const unsigned char parts_jws_js[] = {
#embed "files/parts/jws.js"
};
static const unsigned char parts_life_js[] = {
#embed "files/parts/life.js"
};
static const unsigned char parts_live_js[] = {
#embed "files/parts/live.js"
};
static const unsigned char parts_suggest_js[] = {
#embed "files/parts/suggest.js"
};
static const unsigned char parts_table_js[] = {
#embed "files/parts/table.js"
};
static const unsigned char parts_timeline_js[] = {
#embed "files/parts/timeline.js"
};
static const unsigned char parts_uploads_js[] = {
#embed "files/parts/uploads.js"
};
static const unsigned char refusals_js[] = {
#embed "files/refusals.js"
};
static const unsigned char screens_approval_actions_js[] = {
#embed "files/screens/approval-actions.js"
};
static const unsigned char screens_approvals_js[] = {
#embed "files/screens/approvals.js"
};
static const unsigned char screens_customer_actions_js[] = {
#embed "files/screens/customer-actions.js"
};
static const unsigned char screens_customer_tabs_js[] = {
#embed "files/screens/customer-tabs.js"
};
static const unsigned char screens_customers_js[] = {
#embed "files/screens/customers.js"
};
static const unsigned char screens_fault_actions_js[] = {
#embed "files/screens/fault-actions.js"
};
static const unsigned char screens_faults_js[] = {
#embed "files/screens/faults.js"
};
static const unsigned char screens_history_js[] = {
#embed "files/screens/history.js"
};
static const unsigned char screens_index_js[] = {
#embed "files/screens/index.js"
};
static const unsigned char screens_keys_js[] = {
#embed "files/screens/keys.js"
};
static const unsigned char screens_ledger_js[] = {
#embed "files/screens/ledger.js"
};
static const unsigned char screens_notification_actions_js[] = {
#embed "files/screens/notification-actions.js"
};
static const unsigned char screens_notifications_js[] = {
#embed "files/screens/notifications.js"
};
static const unsigned char screens_now_js[] = {
#embed "files/screens/now.js"
};
static const unsigned char screens_product_actions_js[] = {
#embed "files/screens/product-actions.js"
};
static const unsigned char screens_receipt_parts_js[] = {
#embed "files/screens/receipt-parts.js"
};
static const unsigned char screens_receipts_js[] = {
#embed "files/screens/receipts.js"
};
static const unsigned char screens_refund_actions_js[] = {
#embed "files/screens/refund-actions.js"
};
static const unsigned char screens_refunds_js[] = {
#embed "files/screens/refunds.js"
};
static const unsigned char screens_requests_js[] = {
#embed "files/screens/requests.js"
};
static const unsigned char screens_server_urls_js[] = {
#embed "files/screens/server-urls.js"
};
static const unsigned char screens_settings_actions_js[] = {
#embed "files/screens/settings-actions.js"
};
static const unsigned char screens_settings_connect_js[] = {
#embed "files/screens/settings-connect.js"
};
static const unsigned char screens_settings_js[] = {
#embed "files/screens/settings.js"
};
static const unsigned char screens_shop_actions_js[] = {
#embed "files/screens/shop-actions.js"
};
static const unsigned char screens_shop_app_js[] = {
#embed "files/screens/shop-app.js"
};
static const unsigned char screens_shop_product_js[] = {
#embed "files/screens/shop-product.js"
};
static const unsigned char screens_shop_js[] = {
#embed "files/screens/shop.js"
};
static const unsigned char screens_subscription_actions_js[] = {
#embed "files/screens/subscription-actions.js"
};
static const unsigned char screens_subscriptions_js[] = {
#embed "files/screens/subscriptions.js"
};
static const unsigned char screens_world_actions_js[] = {
#embed "files/screens/world-actions.js"
};
static const unsigned char screens_worlds_js[] = {
#embed "files/screens/worlds.js"
};
static const unsigned char settings_js[] = {
#embed "files/settings.js"
};
static const unsigned char signin_js[] = {
#embed "files/signin.js"
};
static const unsigned char storefronts_js[] = {
#embed "files/storefronts.js"
};

#define FILE(name, bytes) {name, bytes, sizeof bytes}

static const struct console_file files[] = {
    FILE("action.js", action_js),
    FILE("address.js", address_js),
    FILE("app.js", app_js),
    FILE("backend/index.js", backend_index_js),
    FILE("backend/parts.js", backend_parts_js),
    FILE("backend/settings.js", backend_settings_js),
    FILE("backend/submissions.js", backend_submissions_js),
    FILE("backend/subscriptions.js", backend_subscriptions_js),
    FILE("backend/users.js", backend_users_js),
    FILE("clock.js", clock_js),
    FILE("command.js", command_js),
    FILE("connection.js", connection_js),
    FILE("console.css", console_css),
    FILE("dom.js", dom_js),
    FILE("follow.js", follow_js),
    FILE("format.js", format_js),
    FILE("header.js", header_js),
    FILE("icon.svg", icon_svg),
    FILE("icons.js", icons_js),
    FILE("index.html", index_html),
    FILE("keys.js", keys_js),
    FILE("navigation.js", navigation_js),
    FILE("notices.js", notices_js),
    FILE("parts.css", parts_css),
    FILE("parts/basics.js", parts_basics_js),
    FILE("parts/clock.js", parts_clock_js),
    FILE("parts/dialog.js", parts_dialog_js),
    FILE("parts/filters.js", parts_filters_js),
    FILE("parts/jws.js", parts_jws_js),
    FILE("parts/life.js", parts_life_js),
    FILE("parts/live.js", parts_live_js),
    FILE("parts/suggest.js", parts_suggest_js),
    FILE("parts/table.js", parts_table_js),
    FILE("parts/timeline.js", parts_timeline_js),
    FILE("parts/uploads.js", parts_uploads_js),
    FILE("refusals.js", refusals_js),
    FILE("screens/approval-actions.js", screens_approval_actions_js),
    FILE("screens/approvals.js", screens_approvals_js),
    FILE("screens/customer-actions.js", screens_customer_actions_js),
    FILE("screens/customer-tabs.js", screens_customer_tabs_js),
    FILE("screens/customers.js", screens_customers_js),
    FILE("screens/fault-actions.js", screens_fault_actions_js),
    FILE("screens/faults.js", screens_faults_js),
    FILE("screens/history.js", screens_history_js),
    FILE("screens/index.js", screens_index_js),
    FILE("screens/keys.js", screens_keys_js),
    FILE("screens/ledger.js", screens_ledger_js),
    FILE("screens/notification-actions.js", screens_notification_actions_js),
    FILE("screens/notifications.js", screens_notifications_js),
    FILE("screens/now.js", screens_now_js),
    FILE("screens/product-actions.js", screens_product_actions_js),
    FILE("screens/receipt-parts.js", screens_receipt_parts_js),
    FILE("screens/receipts.js", screens_receipts_js),
    FILE("screens/refund-actions.js", screens_refund_actions_js),
    FILE("screens/refunds.js", screens_refunds_js),
    FILE("screens/requests.js", screens_requests_js),
    FILE("screens/server-urls.js", screens_server_urls_js),
    FILE("screens/settings-actions.js", screens_settings_actions_js),
    FILE("screens/settings-connect.js", screens_settings_connect_js),
    FILE("screens/settings.js", screens_settings_js),
    FILE("screens/shop-actions.js", screens_shop_actions_js),
    FILE("screens/shop-app.js", screens_shop_app_js),
    FILE("screens/shop-product.js", screens_shop_product_js),
    FILE("screens/shop.js", screens_shop_js),
    FILE("screens/subscription-actions.js", screens_subscription_actions_js),
    FILE("screens/subscriptions.js", screens_subscriptions_js),
    FILE("screens/world-actions.js", screens_world_actions_js),
    FILE("screens/worlds.js", screens_worlds_js),
    FILE("settings.js", settings_js),
    FILE("signin.js", signin_js),
    FILE("storefronts.js", storefronts_js),
};

unsigned long console_file_count(void) { return sizeof files / sizeof files[0]; }

struct console_file console_file_at(unsigned long place) { return files[place]; }
